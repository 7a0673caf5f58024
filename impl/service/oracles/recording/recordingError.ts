/** Why exchanges cannot be recorded or replayed. `message` and `hint` contain no secret. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
  /** What to do next. */
  readonly hint: string

  constructor(message: string, hint: string, options?: { cause?: unknown }) {
    super(message, options)
    this.hint = hint
  }
}
