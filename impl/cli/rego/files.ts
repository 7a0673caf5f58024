// Not `node:fs/promises`: loading it takes longer than reading a policy.
import { readFileSync, type Stats, statSync } from 'node:fs'
import { sep } from 'node:path'
import { CommandError } from '../commandDefinition.ts'

export const MAX_FILES = 5_000
export const MAX_BYTES = 64 * 1024 * 1024

/** A file to load: its content is read when it is its turn. */
export type Found = {
  readonly path: string
  /** Path of its document within `data`. */
  readonly root: readonly string[]
  readonly read: () => string
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a directory',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
}

/** The error of a file that cannot be read. */
export function unreadable(path: string, cause: unknown): CommandError {
  const { code = 'cannot be read' } = cause as NodeJS.ErrnoException
  return new CommandError(`${path} ${REASONS[code] ?? code}`, {
    hint: 'Check the path and its permissions.',
    cause,
  })
}

/** Reads a text file. @throws CommandError if it cannot be read */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

export function infoOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

/** The folders of a relative path. */
export const foldersOf = (path: string): readonly string[] =>
  path.split(sep).filter((name) => name !== '' && name !== '.')
