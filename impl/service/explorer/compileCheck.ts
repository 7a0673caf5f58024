import { createHash } from 'node:crypto'
import { JobThreadError, type JobThreadFailure } from '../scheduling/jobThreadError.ts'
import { createJobThreads } from '../scheduling/jobThreads.ts'
import type { CompileAnswer, CompileJob } from './compileCheckThread.ts'

/** Compiles policies that strangers wrote, in a thread of its own. */
export type CompileCheck = {
  /**
   * Whether a source compiles under the profile of the service and has its entrypoint (decisions R9
   * and R11). One that takes too much computing or memory does not.
   *
   * @throws when it cannot be told this time: the thread did not start or got no CPU time, or this is
   *   closed
   */
  compiles(job: CompileJob): Promise<boolean>
  close(): Promise<void>
}

/** A thread that has nothing to do for so long is ended: its memory is worth more. */
const idleMs = 5_000
const maxRemembered = 1_000
/** Failures of a source's own doing: no other try would end otherwise. */
const ownFailures: readonly JobThreadFailure[] = ['work', 'memory']

export function createCompileCheck(options: {
  readonly namespace: string
  /** CPU time of one policy, milliseconds. */
  readonly workMs: number
}): CompileCheck {
  const threads = createJobThreads<CompileJob, CompileAnswer>({
    script: new URL('./compileCheck.worker.mjs', import.meta.url),
    workerData: { namespace: options.namespace },
    heapMiB: 256,
    threads: 1,
    workMs: options.workMs,
    idleMs,
    perOwner: Number.POSITIVE_INFINITY,
    inAll: Number.POSITIVE_INFINITY,
  })
  /** Many policies are one source. */
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
