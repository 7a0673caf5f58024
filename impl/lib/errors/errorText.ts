import { inspect } from 'node:util'
import { AppError } from './appError.ts'

/** An error as the command line prints it: message and hint, or the stack of an unexpected one. */
export function errorText(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(errorText).join('\n')
  if (!(error instanceof AppError)) return `error: ${inspect(error)}`
  const { message, hint }: { message: string; hint?: string | undefined } = error
  return hint === undefined ? `error: ${message}` : `error: ${message}\n       ${hint}`
}
