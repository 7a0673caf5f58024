import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { unreadable } from './files.ts'

/** Which files below a directory to leave out. */
export type Skipping = {
  /** Patterns of the names of files and directories. */
  readonly ignore?: readonly string[]
  /** Whether to read hidden ones, as OPA does. */
  readonly hidden?: boolean
}

/** The files below a directory, sorted; never those of `node_modules`. */
export function walkFiles(directory: string, skipping: Skipping): readonly string[] {
  const ignored = (skipping.ignore ?? []).flatMap((each) => each.split(',')).map(globPattern)
  const found: string[] = []
  const walk = (folder: string): void => {
    for (const entry of entriesOf(folder)) {
      const { name } = entry
      if (name === 'node_modules' || (skipping.hidden !== true && name.startsWith('.'))) continue
      if (ignored.some((each) => each.test(name))) continue
      const path = join(folder, name)
      if (entry.isDirectory()) walk(path)
      else if (entry.isFile()) found.push(path)
    }
  }
  walk(directory)
  return found
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (cause) {
    throw unreadable(folder, cause)
  }
}

/** A pattern for names with `*`, `?` and `[...]`. */
export function globPattern(glob: string): RegExp {
  const escaped = glob
    .replace(/\[[^\]]+\]|[.+^${}()|[\]\\]/g, (part) => (part.length > 1 ? part : `\\${part}`))
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${escaped}$`, 's')
}
