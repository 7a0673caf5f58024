import type { Command } from 'commander'
import { AppError } from 'polgate-lib/errors/appError.ts'

/**
 * One command of `polgate`. `define` adds options, subcommands and examples to a command that already has
 * its name and summary. Actions import their modules lazily, so that `polgate --help` is fast, and finish
 * by setting `process.exitCode` or by throwing.
 */
export type CommandDefinition = {
  readonly define: (command: Command, wholeProgram: WholeProgram) => void
}

/** The program with every command loaded, for a command that describes all of them. */
export type WholeProgram = () => Promise<Command>

/** Headings of the help text, in its order. */
export const commandGroups = [
  'Local stack',
  'Conformance',
  'Policy authors',
  'Operations',
  'Rego',
] as const

export type ListedCommand = {
  readonly summary: string
  readonly group: (typeof commandGroups)[number]
  /** Listed without `--all` too; its summary then fits a line of 80 columns. */
  readonly isCommon?: boolean
  readonly load: () => Promise<CommandDefinition>
}

/** Commands by name, of each group the most used first; the module of a command is loaded when it is called. */
export type Commands = Readonly<Record<string, ListedCommand>>

/** A failure of the command itself, for a person: what went wrong, and what to do next. */
export class CommandError extends AppError<{ hint: string }> {
  readonly exitCode: number

  /** `exitCode` is 2, "could not run", by default. */
  constructor(message: string, options: { hint: string; exitCode?: number; cause?: unknown }) {
    super(message, options)
    this.exitCode = options.exitCode ?? 2
  }
}
