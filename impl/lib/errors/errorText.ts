import { inspect } from 'node:util'
import { AppError } from './appError.ts'
import { asAppError } from './systemError.ts'

/**
 * An error as the command line prints it: message and hint, also for failed calls of the file system, or
 * the stack of an unexpected one.
 */
export function errorText(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(errorText).join('\n')
  const known = error instanceof AppError ? error : asAppError(error)
  if (known === undefined) return `error: ${inspect(error)}`
  const { message, hint }: { message: string; hint?: string | undefined } = known
  return hint === undefined ? `error: ${message}` : `error: ${message}\n       ${hint}`
}
