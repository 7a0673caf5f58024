import { readFile, stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { ModuleSource } from 'polgate-rego/engine.ts'
import { CommandError } from '../commandDefinition.ts'
import { MAX_BYTES, MAX_FILES, unreadable } from './files.ts'
import { readStdin } from './stdin.ts'
import { globPattern, type Skipping, walkFiles } from './walkFiles.ts'

/** The name of what was read from stdin. */
export const STDIN = 'stdin'

/**
 * Reads policies: files, directories with all `.rego` files below them, and `-` for stdin.
 *
 * @throws CommandError for a path that does not exist or cannot be read, a file that is not UTF-8, and, unless
 *   hidden files are read as in OPA, a file that is no policy and a directory without policies
 */
export async function policySources(
  paths: readonly string[],
  skipping: Skipping = {},
): Promise<readonly ModuleSource[]> {
  const sources = new Map<string, ModuleSource>()
  let left = MAX_BYTES
  for (const path of paths) {
    const files = path === '-' ? [path] : await policiesAt(path, skipping)
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
  if (sources.size === 0 && skipping.hidden !== true) {
    throw new CommandError('--ignore leaves no policy', { hint: 'Its patterns match file names.' })
  }
  return [...sources.values()]
}

async function policiesAt(path: string, skipping: Skipping): Promise<readonly string[]> {
  const info = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause)
  })
  const { ignore = [], hidden } = skipping
  if (!info.isDirectory()) {
    const ignored = hidden === true ? [] : ignore.map(globPattern)
    if (extname(path) === '.rego')
      return ignored.some((each) => each.test(basename(path))) ? [] : [path]
    if (hidden === true) return []
    throw new CommandError(`${path} is not a policy`, { hint: 'Policies are .rego files.' })
  }
  const isPolicy = (file: string): boolean => extname(file) === '.rego'
  const found = walkFiles(path, skipping).filter(isPolicy)
  if (found.length > 0 || hidden === true) return found
  if (walkFiles(path, {}).some(isPolicy)) return []
  throw new CommandError(`${path} has no policies`, {
    hint: 'Policies are .rego files; pass the directory that has them, or one above it.',
  })
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
