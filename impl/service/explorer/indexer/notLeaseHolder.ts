import { AppError } from 'polgate-lib/errors/appError.ts'

/** Another process writes the chain by now, or this one is closing: nothing was written. */
export class NotLeaseHolder extends AppError {
  constructor() {
    super('another process writes the chain')
  }
}
