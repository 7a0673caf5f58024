import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const maxFiles = 5_000

/** All files of a folder: what may repair a package that cannot be read. */
export async function filesToWatch(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries
    .filter((entry) => entry.isFile() && !/(^|\/)(node_modules|\.git)(\/|$)/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name))
  return [join(directory, 'policy.yaml'), ...files.slice(0, maxFiles)]
}
