import type { Command } from 'commander'

/**
 * One command of `svc`. `define` adds options, subcommands and examples to a command that already has
 * its name and summary. Actions import their modules lazily, so that `svc --help` is fast, and finish
 * by setting `process.exitCode` or by throwing.
 */
export type Verb = { readonly define: (command: Command) => void }

/** An expected failure of a command: what went wrong, and what to do next. */
export class CommandError extends Error {
  readonly hint: string | undefined
  readonly exitCode: number

  /** `exitCode` is 2, "could not run", by default. */
  constructor(
    message: string,
    options: { hint?: string; exitCode?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'CommandError'
    this.hint = options.hint
    this.exitCode = options.exitCode ?? 2
  }
}
