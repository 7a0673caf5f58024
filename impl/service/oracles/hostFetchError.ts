/** The `err` result of `fetch`. The guest receives the message. */
export class HostFetchError extends Error {
  override readonly name = 'HostFetchError'
  /** Whether every later call of the run would fail the same way. */
  readonly final: boolean

  constructor(message: string, options: { final?: boolean } = {}) {
    super(message)
    this.final = options.final ?? false
  }
}
