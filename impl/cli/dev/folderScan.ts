import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The files of a folder at one time. */
export type FolderState = {
  /** A digest of the content by absolute path. */
  readonly files: ReadonlyMap<string, string>
  /** The folder itself and those inside of it. */
  readonly directories: ReadonlySet<string>
}

/** More than a package has: a scan after every save must stay quick. */
const maxEntries = 5_000

/** What editors, version control and package managers write. */
const isHidden = (name: string): boolean =>
  name.startsWith('.') || name === 'node_modules' || /~$/.test(name)

type Known = { readonly stamp: string; readonly digest: string }

/**
 * Scans a folder; only what its times or its size say has changed is read again. Hidden files and `node_modules` do
 * not count.
 */
export function createFolderScan(folder: string): () => Promise<FolderState> {
  let known = new Map<string, Known>()

  async function digestOf(path: string): Promise<Known | undefined> {
    // A file may disappear at any time: then it is not there.
    const found = await stat(path, { bigint: true }).catch(() => undefined)
    if (found?.isFile() !== true) return undefined
    const stamp = [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ')
    const before = known.get(path)
    if (before?.stamp === stamp) return before
    const bytes = await readFile(path).catch(() => undefined)
    if (bytes === undefined) return undefined
    return { stamp, digest: createHash('sha256').update(bytes).digest('hex') }
  }

  return async () => {
    const next = new Map<string, Known>()
    const directories = new Set([folder])
    let entries = 0
    // What is added to a set during the iteration is visited too.
    for (const directory of directories) {
      const found = await readdir(directory, { withFileTypes: true }).catch(() => [])
      for (const entry of found) {
        if (isHidden(entry.name)) continue
        entries += 1
        if (entries > maxEntries) break
        const path = join(directory, entry.name)
        if (entry.isDirectory()) directories.add(path)
        else {
          const digest = await digestOf(path)
          if (digest !== undefined) next.set(path, digest)
        }
      }
    }
    known = next
    return {
      files: new Map([...next].map(([path, { digest }]) => [path, digest])),
      directories,
    }
  }
}
