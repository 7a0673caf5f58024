import { AppError } from 'polgate-lib/errors/appError.ts'
import { JobThreadError } from '../scheduling/jobThreadError.ts'
import { createJobThreads, type JobThreads } from '../scheduling/jobThreads.ts'
import { createPatternMark, markedPattern, markPattern } from './patternMark.ts'
import type { SchemaAnswer, SchemaJob } from './schemaCheckThread.ts'

/** A schema took more CPU time than it may; `pattern` did, or undefined where it was not one pattern. */
export class SlowSchemaError extends AppError<{ cause: JobThreadError }> {
  readonly pattern: string | undefined

  constructor(pattern: string | undefined, cause: JobThreadError) {
    const what = pattern === undefined ? 'it' : `its pattern ${pattern.slice(0, 200)}`
    super(`${what} takes too long`, { cause })
    this.pattern = pattern
  }
}

/** CPU time of one validation, milliseconds. Ample: a usual schema takes a few. */
export const defaultSchemaMs = 3_000

export type SchemaThreadsOptions = {
  /** CPU time of one validation, milliseconds. */
  readonly workMs?: number
  /**
   * Wall-clock limit of one validation, milliseconds: a pattern that is tested then is too slow, too. Default: ten times
   * `workMs`, which says nothing about the schema.
   */
  readonly wallMs?: number
  /** How long an idle thread is retained. Default: until `close`. */
  readonly idleMs?: number
}

/**
 * One thread, started on first use, that validates secrets and documents against untrusted schemas. If patterns or
 * references do not terminate, the thread is ended; the next job starts a new one.
 *
 * `run` throws SlowSchemaError and JobThreadError.
 */
export function createSchemaThreads({
  workMs = defaultSchemaMs,
  ...times
}: SchemaThreadsOptions = {}): Pick<JobThreads<SchemaJob, SchemaAnswer>, 'run' | 'close'> {
  const mark = createPatternMark()
  const threads = createJobThreads<SchemaJob, SchemaAnswer>({
    script: new URL('./schemaCheck.worker.mjs', import.meta.url),
    workerData: mark,
    heapMiB: 128,
    threads: 1,
    workMs,
    ...times,
    perOwner: 128,
    inAll: 1_000,
  })
  return {
    run: (job, who) =>
      threads.run(job, who).catch((error: unknown) => {
        const pattern = markedPattern(mark)
        // The thread was ended before it could do so; another one has not started yet.
        markPattern(mark, undefined)
        if (!(error instanceof JobThreadError)) throw error
        const isLate = error.code === 'late' && times.wallMs !== undefined && pattern !== undefined
        if (error.code !== 'work' && !isLate) throw error
        throw new SlowSchemaError(pattern, error)
      }),
    close: () => threads.close(),
  }
}
