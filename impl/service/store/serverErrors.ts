import pg from 'pg'
import { StatementError } from './database.ts'
import { StoreError } from './storeError.ts'

/**
 * SQLSTATEs of a server that is temporarily unavailable, whatever the statement: connection
 * exceptions, shutdown and recovery, too many connections, out of memory.
 */
const unavailableState = /^(08|57P|533|532)/
/** The server's disk is full or fails. */
const storageState = /^(53100|58030)/
/** The server has become a standby after a failover: the connection leads to the wrong one. */
const readOnlyState = '25006'

const driverMessage =
  /^Connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|^Client was closed|^Cannot use a pool after calling end|before secure TLS connection/

function codeOf(error: unknown): string | undefined {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

/**
 * Whether the error is about the connection and not the statement: the server is unreachable or
 * shutting down, and this connection is unusable.
 */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof StoreError) return error.code === 'unavailable'
  const code = codeOf(error)
  if (code === undefined) return driverMessage.test(String((error as Error)?.message))
  // Errors of the operating system: ECONNRESET, EPIPE, ENOTFOUND, EAI_AGAIN.
  return unavailableState.test(code) || code === readOnlyState || /^E[A-Z_]{3,}$/.test(code)
}

/** A deadlock or a serialization failure. */
export const isConflict = (error: unknown): boolean =>
  error instanceof StatementError && (error.code === '40P01' || error.code === '40001')

/** Converts an error of the driver, which could contain a parameter, to the store's error. */
export function storeErrorOf(error: unknown): unknown {
  if (error instanceof StoreError || error instanceof StatementError) return error
  const code = codeOf(error)
  if (code !== undefined && storageState.test(code))
    return unavailable(
      `The PostgreSQL server cannot write: its disk is full or has failed (${code})`,
      'Check the disk of the PostgreSQL server and free space on it.',
    )
  if (code === readOnlyState)
    return unavailable(
      `The PostgreSQL server is read-only (${code})`,
      'Connect to the primary: it may have become a standby after a failover. On a primary, set default_transaction_read_only = off.',
    )
  if (isConnectionError(error))
    // The driver's message may contain the connection string; only its code is shown.
    return unavailable(
      `The PostgreSQL server cannot be reached (${code ?? 'no response'})`,
      'Check the connection string and that the server accepts connections.',
    )
  return error instanceof pg.DatabaseError ? new StatementError(error) : error
}

const unavailable = (message: string, hint: string) =>
  new StoreError(message, { code: 'unavailable', hint })
