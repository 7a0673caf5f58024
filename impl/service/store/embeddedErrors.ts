import { statfsSync } from 'node:fs'
import { StatementError } from './database.ts'
import { StoreError } from './storeError.ts'

/** Of the file system, as Node tells them. */
const storageReasons: Readonly<Record<string, readonly [problem: string, step: string]>> = {
  ENOSPC: ['the disk is full', 'Free some space'],
  EDQUOT: ['the quota is used up', 'Free some space'],
  EFBIG: ['a file is larger than this process may write', 'Raise the limit (ulimit -f)'],
  EROFS: ['the file system is read-only', 'Mount it for writing'],
  EACCES: ['permission denied', 'Make the folder writable for this user'],
  EPERM: ['permission denied', 'Make the folder writable for this user'],
  EIO: ['the disk fails', 'Look at the log of the system'],
}
/** The same as PostgreSQL tells them (SQLSTATE); nobody but the file system denies it anything. */
const storageStates: Readonly<Record<string, string>> = {
  '53100': 'ENOSPC',
  '42501': 'EACCES',
  '58030': 'EIO',
}
/** Data or an index corrupted, a file missing. */
const damagedStates = /^(XX001|XX002|58P01)$/
/** Opening a database writes a little, and needs room for the next segments of its log. */
const neededBytes = 8 * 1024 * 1024

const place = (directory: string | undefined) =>
  directory === undefined ? 'The database in memory' : `The database in ${directory}`

/** The folder cannot be written; undefined for any other error. */
export function storageError(directory: string, error: unknown): StoreError | undefined {
  const { code } = error as { code?: string }
  const [problem, step] = storageReasons[code ?? ''] ?? []
  if (problem === undefined) return undefined
  return new StoreError(`${place(directory)} cannot be written: ${problem} (${code})`, {
    code: 'unavailable',
    hint: `${step}. What was stored before is not touched; a service that runs goes on by itself.`,
    cause: error,
  })
}

export const damagedDatabase = (directory: string | undefined, problem: string, cause?: unknown) =>
  new StoreError(`${place(directory)} is damaged: ${problem}`, {
    code: 'damaged',
    hint:
      directory === undefined
        ? 'Start the service again.'
        : `Keep a copy of the folder, then load a snapshot with \`svc snapshot load FILE --data-dir DIR --replace\`, or move the folder away to start with an empty database.`,
    cause,
  })

/** The engine has ended; with a folder it is started again by the next query. */
export const engineEnded = (directory: string | undefined) => {
  const full = directory !== undefined && isFull(directory)
  return new StoreError(`${place(directory)} has stopped${full ? ': the disk is full' : ''}`, {
    code: 'unavailable',
    hint:
      directory === undefined
        ? 'Start the service again; what was in memory is lost.'
        : `${full ? 'Free some space. ' : ''}It is opened again by the next request; nothing that was stored is lost.`,
  })
}

/** @throws StoreError before anything is written that would be cut off */
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

/** What a caller of the store gets for an error of PGlite. */
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
