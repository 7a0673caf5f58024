/** A line to run. */
export type PlannedLine = {
  readonly line: string
  /** The listed commands that it stands for, with their documents. */
  readonly sources: readonly string[]
  /** It uses files that only the clone has, or is a script of it. */
  readonly of: 'user' | 'clone files' | 'clone'
  readonly code: number
  readonly ready?: RegExp | undefined
}
