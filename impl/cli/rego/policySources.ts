import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { ModuleSource } from 'polgate-rego/engine.ts'
import { CommandError } from '../commandDefinition.ts'
import { globPattern, MAX_BYTES, MAX_FILES, unreadable } from './loadFiles.ts'
import { readStdin } from './stdin.ts'

/** The name of what was read from stdin. */
export const STDIN = 'stdin'

/**
 * Reads policies: files, directories with all `.rego` files below them, and `-` for stdin. Files whose name
 * matches an `ignore` pattern are skipped.
 *
 * @throws CommandError for a path that does not exist or cannot be read, a file that is no policy or not
 *   UTF-8, and a directory without policies
 */
export async function policySources(
  paths: readonly string[],
  ignore: readonly string[] = [],
): Promise<readonly ModuleSource[]> {
  const ignored = ignore.map(globPattern)
  const isIgnored = (path: string): boolean => ignored.some((each) => each.test(basename(path)))
  const sources = new Map<string, ModuleSource>()
  let left = MAX_BYTES
  for (const path of paths) {
    const files = path === '-' ? [path] : await policiesAt(path, isIgnored)
    for (const file of files) {
      if (sources.has(file)) continue
      const content = file === '-' ? await readStdin() : await read(file)
      left -= content.length
      if (left < 0 || sources.size === MAX_FILES) {
        throw new CommandError(`More than ${MAX_FILES} policies, or more than ${MAX_BYTES} bytes`, {
          hint: 'Pass fewer files at a time.',
        })
      }
      const name = file === '-' ? STDIN : file
      sources.set(file, { name, source: decoded(name, content) })
    }
  }
  if (sources.size === 0) {
    throw new CommandError('--ignore leaves no policy', { hint: 'Its patterns match file names.' })
  }
  return [...sources.values()]
}

async function policiesAt(
  path: string,
  isIgnored: (path: string) => boolean,
): Promise<readonly string[]> {
  const info = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause)
  })
  if (!info.isDirectory()) {
    if (extname(path) === '.rego') return isIgnored(path) ? [] : [path]
    throw new CommandError(`${path} is not a policy`, { hint: 'Policies are .rego files.' })
  }
  const found: string[] = []
  await findIn(path, found)
  if (found.length > 0) return found.filter((each) => !isIgnored(each))
  throw new CommandError(`${path} has no policies`, {
    hint: 'Policies are .rego files; pass the directory that has them, or one above it.',
  })
}

async function findIn(directory: string, found: string[]): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((cause: unknown) => {
    throw unreadable(directory, cause)
  })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    const path = join(directory, entry.name)
    if (entry.isDirectory()) await findIn(path, found)
    else if (entry.isFile() && extname(path) === '.rego') found.push(path)
  }
}

const read = (path: string): Promise<Buffer> =>
  readFile(path).catch((cause: unknown) => {
    throw unreadable(path, cause)
  })

/** A file of another encoding would be written back damaged. */
function decoded(name: string, content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
  } catch (cause) {
    throw new CommandError(`${name} is not UTF-8`, {
      cause,
      hint: 'Policies are UTF-8: convert it, as with iconv -f latin1 -t utf-8.',
    })
  }
}
