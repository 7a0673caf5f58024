import type { LoadLocalServices } from '../targets/localServices.ts'

type Output = {
  readonly write: (text: string) => unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** Streams and environment of a command, injectable for tests. */
export type CommandIo = {
  /** Results. */
  readonly stdout: Output
  /** Progress, and errors of the command itself. */
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  readonly cwd: string
  /** Services that can be started on this machine. */
  readonly local?: LoadLocalServices | undefined
  /** Says what is done, for --verbose. */
  readonly detail?: ((text: string) => void) | undefined
}
