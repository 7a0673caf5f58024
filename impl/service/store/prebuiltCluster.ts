import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { compressLarge, decompressLarge } from 'polgate-lib/files/largeWindow.ts'

/**
 * A migrated, empty cluster as a compressed tar archive, so that the first start on a machine does
 * not create one, which takes seconds. `npm run cluster:build` writes it. It counts only for the
 * version of PGlite, the migrations and the settings that made it.
 */

const archive = fileURLToPath(new URL('prebuiltCluster.br', import.meta.url))
const description = fileURLToPath(new URL('prebuiltCluster.json', import.meta.url))

/** Key of the cluster in the archive; undefined without one. */
export const prebuiltKey = async (): Promise<string | undefined> =>
  await readFile(description, 'utf8').then(
    (text) => (JSON.parse(text) as { readonly key: string }).key,
    () => undefined,
  )

/** Tar archive of the cluster with this key; undefined if the prebuilt one has another. */
export async function prebuiltCluster(key: string): Promise<Uint8Array | undefined> {
  if ((await prebuiltKey()) !== key) return undefined
  return await decompressLarge(await readFile(archive))
}

/** Replaces the archive. */
export async function writePrebuiltCluster(key: string, tar: Uint8Array): Promise<void> {
  // Template databases are copies of each other, further apart than the standard window.
  await writeFile(archive, await compressLarge(tar))
  await writeFile(description, `${JSON.stringify({ key }, null, 2)}\n`)
}
