import { statfsSync } from 'node:fs'
import { StatementError } from './database.ts'
import { StoreError } from './storeError.ts'

/** Error codes of the file system, as Node reports them. */
const storageReasons: Readonly<Record<string, readonly [problem: string, step: string]>> = {
  ENOSPC: ['the disk is full', 'Free disk space'],
  EDQUOT: ['the disk quota is exceeded', 'Free disk space'],
  EFBIG: ['a file would exceed the file size limit of this process', 'Raise the limit (ulimit -f)'],
  EROFS: ['the file system is read-only', 'Mount it read-write'],
  EACCES: ['permission denied', 'Make the directory writable for this user'],
  EPERM: ['permission denied', 'Make the directory writable for this user'],
  EIO: ['input/output error of the disk', 'Check the system log'],
}
/**
 * The same as PostgreSQL reports them (SQLSTATE). `42501` can only come from the file system here.
 */
const storageStates: Readonly<Record<string, string>> = {
  '53100': 'ENOSPC',
  '42501': 'EACCES',
  '58030': 'EIO',
}
/** Corrupted data or index, or a missing file. */
const damagedStates = /^(XX001|XX002|58P01)$/
/** Opening a database writes a little, and needs room for the next log segments. */
const neededBytes = 8 * 1024 * 1024

const place = (directory: string | undefined) =>
  directory === undefined ? 'The database in memory' : `The database in ${directory}`

/** An error of the file system; undefined for any other error. */
export function storageError(directory: string, error: unknown): StoreError | undefined {
  const { code } = error as { code?: string }
  const [problem, step] = storageReasons[code ?? ''] ?? []
  if (problem === undefined) return undefined
  return new StoreError(`${place(directory)} cannot be written: ${problem} (${code})`, {
    code: 'unavailable',
    hint: `${step}. Stored data is unaffected; a running service recovers by itself.`,
    cause: error,
  })
}

export const damagedDatabase = (directory: string | undefined, problem: string, cause?: unknown) =>
  new StoreError(`${place(directory)} is damaged: ${problem}`, {
    code: 'damaged',
    hint:
      directory === undefined
        ? 'Restart the service.'
        : `Back up the directory, then load a snapshot with \`polgate snapshot load FILE --data-dir DIR --replace\`, or move the directory away to start with an empty database.`,
    cause,
  })

/** The engine has stopped. With a directory, the next query reopens it. */
export function engineEnded(directory: string | undefined) {
  const full = directory !== undefined && isFull(directory)
  return new StoreError(`${place(directory)} has stopped${full ? ': the disk is full' : ''}`, {
    code: 'unavailable',
    hint:
      directory === undefined
        ? 'Restart the service; the data in memory is lost.'
        : `${full ? 'Free disk space. ' : ''}The next request reopens it; no stored data is lost.`,
  })
}

/** @throws StoreError before anything is written that would be truncated */
export function refuseFullDisk(directory: string): void {
  if (!isFull(directory)) return
  throw storageError(directory, Object.assign(new Error('no space'), { code: 'ENOSPC' }))
}

function isFull(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize < neededBytes
  } catch {
    return false
  }
}

/** Converts an error of PGlite to the store's error. */
export function embeddedErrorOf(error: unknown, directory: string | undefined): Error {
  if (error instanceof StoreError || error instanceof StatementError) return error
  const { code } = error as { code?: unknown }
  const state = typeof code === 'string' ? code : ''
  if (directory !== undefined && storageStates[state] !== undefined) {
    const found = storageError(directory, { code: storageStates[state] })
    if (found !== undefined) return found
  }
  if (damagedStates.test(state))
    return damagedDatabase(
      directory,
      `${String((error as Error).message).slice(0, 300)} (${state})`,
    )
  return new StatementError(error)
}
