import type { Command } from 'commander'
import { AppError } from 'polgate-lib/errors/appError.ts'

/**
 * One command of `polgate`. `define` adds options, subcommands and examples to a command that already has
 * its name and summary. Actions import their modules lazily, so that `polgate --help` is fast, and finish
 * by setting `process.exitCode` or by throwing.
 */
export type CommandDefinition = { readonly define: (command: Command) => void }

/** Commands by name; the module of a command is loaded when it is called. */
export type Commands = Readonly<
  Record<string, { readonly summary: string; readonly load: () => Promise<CommandDefinition> }>
>

/** A failure of the command itself, for a person: what went wrong, and what to do next. */
export class CommandError extends AppError {
  readonly exitCode: number

  /** `exitCode` is 2, "could not run", by default. */
  constructor(
    message: string,
    options: { hint?: string; exitCode?: number; cause?: unknown } = {},
  ) {
    super(message, options)
    this.exitCode = options.exitCode ?? 2
  }
}
