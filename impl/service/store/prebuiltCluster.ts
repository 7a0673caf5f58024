import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'

/**
 * A migrated, empty cluster as a compressed tar archive, so that the first start on a machine does
 * not create one, which takes seconds. `npm run cluster:build` writes it. It counts only for the
 * version of PGlite, the migrations and the settings that made it.
 */

const archive = fileURLToPath(new URL('prebuiltCluster.br', import.meta.url))
const description = fileURLToPath(new URL('prebuiltCluster.json', import.meta.url))

/** Template databases are copies of each other, further apart than the standard window. */
const largeWindow = {
  [constants.BROTLI_PARAM_LARGE_WINDOW]: 1,
  [constants.BROTLI_PARAM_LGWIN]: 26,
}

/** Key of the cluster in the archive; undefined without one. */
export const prebuiltKey = async (): Promise<string | undefined> =>
  await readFile(description, 'utf8').then(
    (text) => (JSON.parse(text) as { readonly key: string }).key,
    () => undefined,
  )

/** Tar archive of the cluster with this key; undefined if the prebuilt one has another. */
export async function prebuiltCluster(key: string): Promise<Uint8Array | undefined> {
  if ((await prebuiltKey()) !== key) return undefined
  return await promisify(brotliDecompress)(await readFile(archive), {
    params: { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 },
  })
}

/** Replaces the archive. */
export async function writePrebuiltCluster(key: string, tar: Uint8Array): Promise<void> {
  const packed = await promisify(brotliCompress)(tar, {
    params: { ...largeWindow, [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  })
  await writeFile(archive, packed)
  await writeFile(description, `${JSON.stringify({ key }, null, 2)}\n`)
}
