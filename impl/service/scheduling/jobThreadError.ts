/**
 * `work`: over its CPU time · `late`: no answer within the wall-clock limit, which says nothing
 * about the job · `memory`: over the heap of its thread · `crash`: ended its thread · `start`:
 * threads fail to start · `busy`: too many jobs are queued · `closed`.
 */
export type JobThreadFailure = 'work' | 'late' | 'memory' | 'crash' | 'start' | 'busy' | 'closed'

/** Why a job failed. */
export class JobThreadError extends Error {
  override readonly name = 'JobThreadError'
  readonly failure: JobThreadFailure

  constructor(failure: JobThreadFailure, cause?: unknown) {
    super(`the job failed: ${failure}`, { cause })
    this.failure = failure
  }
}
