import { AppError } from 'polgate-lib/errors/appError.ts'
import { boundedText } from '../logging/boundedValue.ts'
import { StatementError } from '../store/database.ts'
import { StoreError } from '../store/storeError.ts'

/** What a span says about an error. */
export type ErrorFacts = {
  /** The code, or else the class: a small number of values. */
  readonly type: string
  /** Empty for errors whose text could quote anything. */
  readonly message: string
}

/** Characters of a message in a span. */
export const longestErrorText = 300

/**
 * Only the texts of the service's own errors are exported, which callers and logs see as well. Those of
 * libraries, of the system and of the database may quote values, addresses or paths.
 */
export function errorFacts(error: unknown): ErrorFacts {
  const { name, code } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown }
  const type = typeof code === 'string' || typeof code === 'number' ? code : (name ?? 'unknown')
  const quotes = error instanceof StoreError || error instanceof StatementError
  const message = error instanceof AppError && !quotes ? error.message : ''
  return { type: boundedText(String(type), 60), message: boundedText(message, longestErrorText) }
}
