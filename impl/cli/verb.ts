import type { Command } from 'commander'
import { AppError } from 'polgate-lib/errors/appError.ts'

/**
 * One verb of the `svc` command. `define` adds options, subcommands and examples to a command that
 * already has its name and summary; what an action needs is imported inside the action, so that
 * `svc --help` stays quick. An action ends by setting `process.exitCode` or by throwing.
 */
export type Verb = { readonly define: (command: Command) => void }

/** A failure of the command itself, for a person: what went wrong, and what to do next. */
export class CommandError extends AppError {
  readonly exitCode: number

  /** `exitCode` 2 means "could not run", as everywhere in this command. */
  constructor(
    message: string,
    options: { hint?: string; exitCode?: number; cause?: unknown } = {},
  ) {
    super(message, options)
    this.exitCode = options.exitCode ?? 2
  }
}
