import { createHash, randomBytes } from 'node:crypto'
import { constants, copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { syncDirectory } from 'polgate-lib/files/replaceFile.ts'
import { syncTree } from 'polgate-lib/files/syncTree.ts'
import { userDirectories } from 'polgate-lib/files/userDirectories.ts'
import { extractCluster, withoutTemplates } from './clusterTar.ts'
import { prebuiltCluster } from './prebuiltCluster.ts'
import { migrations } from './schema.ts'

/** Paths of `cluster/` (to be copied) and `cluster.tar` (to be loaded into memory). */
export type PreparedCluster = { readonly directory: string; readonly tar: string }

/**
 * Settings of a new cluster. Small buffers: 140 MB less resident memory, no slower at our sizes.
 */
export const clusterSettings = {
  initDbStartParams: ['--wal-segsize=1'],
  postgresqlconf: ['shared_buffers=8MB', 'max_wal_size=64MB', 'min_wal_size=4MB'],
}

/** PGlite does not export its package.json, so the version is read from the file near its entry. */
async function pgliteVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const text = await readFile(join(dirname(entry), '..', 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** Differs for every cluster that would be made differently. */
export const clusterKey = async (): Promise<string> =>
  `${await pgliteVersion()}-${createHash('sha256')
    .update(JSON.stringify([migrations, clusterSettings, 'image without templates']))
    .digest('hex')
    .slice(0, 16)}`

/**
 * A migrated, empty cluster: creating one takes seconds, copying it a tenth of one. On first use it
 * is unpacked from the prebuilt one or, if that is of other sources, created with `make`. It is moved
 * into place complete, so that a reader never sees a part of it and concurrent creation is harmless.
 * Undefined when the cache is not writable.
 *
 * @param make creates it in a directory, and returns its tar archive
 */
export async function preparedCluster(
  make: (directory: string) => Promise<Uint8Array>,
  {
    cache = join(userDirectories().cache, 'pglite'),
    prebuilt = prebuiltCluster,
  }: { readonly cache?: string; readonly prebuilt?: typeof prebuiltCluster } = {},
): Promise<PreparedCluster | undefined> {
  const key = await clusterKey()
  const home = join(cache, key)
  const prepared = { directory: join(home, 'cluster'), tar: join(home, 'cluster.tar') }
  if (existsSync(home)) return prepared
  const draft = `${home}.${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    await mkdir(draft, { recursive: true })
    const directory = join(draft, 'cluster')
    const tar = (await unpacked(prebuilt(key), directory)) ?? (await make(directory))
    await writeFile(join(draft, 'cluster.tar'), await withoutTemplates(tar))
    // A database that starts from a torn copy is damaged.
    await syncTree(draft)
    await rename(draft, home)
    await syncDirectory(cache)
  } catch {
    await rm(draft, { recursive: true, force: true }).catch(() => {})
  }
  return existsSync(home) ? prepared : undefined
}

/** Undefined if there is none, or it is damaged: then one is created. */
async function unpacked(
  prebuilt: Promise<Uint8Array | undefined>,
  directory: string,
): Promise<Uint8Array | undefined> {
  try {
    const tar = await prebuilt
    if (tar !== undefined) await extractCluster(tar, directory)
    return tar
  } catch {
    await rm(directory, { recursive: true, force: true })
    return undefined
  }
}

/** Creates a cluster under a temporary name; it appears as `to` only when it is complete. */
export async function placeCluster(
  to: string,
  fill: (draft: string) => Promise<unknown>,
  { durable }: { readonly durable: boolean },
): Promise<void> {
  const draft = `${to}.${process.pid}-${randomBytes(4).toString('hex')}`
  await fill(draft)
  if (durable) await syncTree(draft)
  await rename(draft, to)
  if (durable) await syncDirectory(dirname(to))
}

/**
 * Copies the prepared cluster: a thousand small files, synchronously, which takes a tenth of the
 * time of `fs.cp`.
 */
export const copyCluster = async (from: PreparedCluster, to: string): Promise<void> =>
  copyTree(from.directory, to)

function copyTree(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyTree(source, target)
    else copyFileSync(source, target, constants.COPYFILE_FICLONE)
  }
}
