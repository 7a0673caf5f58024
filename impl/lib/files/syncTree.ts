import { mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { syncDirectory } from './replaceFile.ts'

/** Syncs of small files wait for each other in the disk: several at once take a fraction of the time. */
const atOnce = 16

/** Puts a new directory, its files and their names on disk; not its own name. */
export async function syncTree(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const pathsOf = (chosen: typeof entries) =>
    chosen.map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  const files = pathsOf(entries.filter((entry) => entry.isFile()))
  const next = files.values()
  await Promise.all(Array.from({ length: atOnce }, () => syncFiles(next)))
  const directories = pathsOf(entries.filter((entry) => entry.isDirectory()))
  for (const each of [...directories, directory]) await syncDirectory(each)
}

async function syncFiles(paths: Iterable<string>): Promise<void> {
  for (const path of paths) {
    // Windows syncs only what is open for writing.
    const file = await open(path, 'r+')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
  }
}

/** Makes a directory, and those above it, which survive a crash of the machine. */
export async function makeDirectory(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  if (first === undefined) return
  const above = dirname(first)
  const names = relative(above, path).split(/[\\/]/).slice(0, -1)
  let at = above
  await syncDirectory(at)
  for (const name of names) {
    at = join(at, name)
    await syncDirectory(at)
  }
}
