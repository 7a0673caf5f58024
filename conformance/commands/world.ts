import type { LoadLocalServices } from '../targets/localServices.ts'

type Output = {
  readonly write: (text: string) => unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** The world of a command, so that a test can give another. */
export type CommandWorld = {
  /** Results. */
  readonly stdout: Output
  /** Progress and what is wrong with the command itself. */
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  readonly cwd: string
  /** What can be started on this machine. */
  readonly local?: LoadLocalServices | undefined
}
