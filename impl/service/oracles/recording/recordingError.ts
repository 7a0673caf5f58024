import { AppError } from 'polgate-lib/errors/appError.ts'

/** Why exchanges cannot be recorded or replayed; `message` and `hint` hold no secret. */
export class RecordingError extends AppError<{ hint: string; cause?: unknown }> {
  constructor(message: string, hint: string, options?: { cause?: unknown }) {
    super(message, { ...options, hint })
  }
}
