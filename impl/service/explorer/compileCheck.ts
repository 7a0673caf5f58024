import { createHash } from 'node:crypto'
import { JobThreadError, type JobThreadFailure } from '../scheduling/jobThreadError.ts'
import { createJobThreads } from '../scheduling/jobThreads.ts'
import type { CompileAnswer, CompileJob } from './compileCheckThread.ts'

/** Compiles untrusted policies in a separate thread. */
export type CompileCheck = {
  /**
   * Whether a source compiles under the profile of the service and has its entrypoint (decisions R9
   * and R11). False too when it takes too much CPU time or memory.
   *
   * @throws when the result is unknown: the thread did not start, got no CPU time, or is closed
   */
  compiles(job: CompileJob): Promise<boolean>
  close(): Promise<void>
}

/** An idle thread is ended after this time, to free its memory. */
const idleMs = 5_000
const maxRemembered = 1_000
/** Failures that the source itself causes: a retry would fail the same way. */
const ownFailures: readonly JobThreadFailure[] = ['work', 'memory']

export function createCompileCheck(options: {
  readonly namespace: string
  /** CPU time limit for one policy, milliseconds. */
  readonly workMs: number
  /** Wall-clock limit for one policy, after which its result is unknown, milliseconds; default: that of job threads. */
  readonly wallMs?: number
}): CompileCheck {
  const threads = createJobThreads<CompileJob, CompileAnswer>({
    script: new URL('./compileCheck.worker.mjs', import.meta.url),
    workerData: { namespace: options.namespace },
    heapMiB: 256,
    threads: 1,
    workMs: options.workMs,
    ...(options.wallMs !== undefined && { wallMs: options.wallMs }),
    idleMs,
    perOwner: Number.POSITIVE_INFINITY,
    inAll: Number.POSITIVE_INFINITY,
  })
  /** Results by source and entrypoint: many policies have the same source. */
  const known = new Map<string, boolean>()

  async function answerTo(job: CompileJob, owner: string): Promise<boolean> {
    try {
      const answer = await threads.run(job, { owner })
      if ('broken' in answer) throw new Error(`the compiler failed: ${answer.broken}`)
      return answer.compiles
    } catch (error) {
      if (error instanceof JobThreadError && ownFailures.includes(error.code)) return false
      throw error
    }
  }

  return {
    async compiles(job) {
      const key = createHash('sha256').update(`${job.entrypoint}\0${job.source}`).digest('base64')
      const before = known.get(key)
      if (before !== undefined) return before
      const compiles = await answerTo(job, key)
      if (known.size >= maxRemembered) known.clear()
      known.set(key, compiles)
      return compiles
    },
    close: () => threads.close(),
  }
}
