import { AppError } from 'polgate-lib/errors/appError.ts'

/** What `fetch` answers with its `err` case. The message is handed to the guest. */
export class HostFetchError extends AppError {
  /** Whether every later call of the run would be answered the same. */
  readonly final: boolean

  constructor(message: string, options: { final?: boolean } = {}) {
    super(message)
    this.final = options.final ?? false
  }
}
