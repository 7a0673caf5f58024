import { AppError } from 'polgate-lib/errors/appError.ts'

/**
 * `work`: over its CPU time · `late`: no answer within the wall-clock limit, which says nothing
 * about the job · `memory`: over the heap of its thread · `crash`: ended its thread · `start`:
 * threads fail to start · `busy`: too many jobs are queued · `closed`.
 */
export type JobThreadFailure = 'work' | 'late' | 'memory' | 'crash' | 'start' | 'busy' | 'closed'

/** Why a job failed. */
export class JobThreadError extends AppError<{ code: JobThreadFailure; cause?: unknown }> {
  constructor(code: JobThreadFailure, cause?: unknown) {
    super(`the job failed: ${code}`, { code, cause })
  }
}
