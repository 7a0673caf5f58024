import { Worker } from 'node:worker_threads'
import { uploadRefused } from '../envelopes/secretsSchema.ts'
import type { Address } from '../protocol/scalars.ts'
import { fairQueue } from './fairQueue.ts'
import { unlessAborted } from './inFlight.ts'
import type { SecretsCheckAnswer, SecretsCheckJob } from './secretsCheckThread.ts'

/** Validates secrets against schemas that strangers wrote (section 2.7). */
export type SecretsCheck = {
  /**
   * @param upload `policyClient`: uploads of one client wait for each other, not for those of another
   * @throws ServiceError `Secrets upload validation failed: {details}`; details never hold a secret
   */
  check(
    upload: SecretsCheckJob & { readonly policyClient: Address },
    signal: AbortSignal,
  ): Promise<void>
  close(): Promise<void>
}

export type SecretsCheckOptions = {
  /** Wall clock of one validation, milliseconds. Plenty: an honest schema takes a few. */
  readonly deadlineMs?: number
}

const tooLong = 'the secrets schema takes too long'
/** A client whose upload took too long under a schema is not let try it again for so long. */
const slowForMs = 10_000
const maxSlow = 100

/**
 * One thread, started when it is first needed. A schema whose patterns or references do not end is
 * ended with the thread; the next upload finds a new one.
 */
export function createSecretsCheck({ deadlineMs = 3_000 }: SecretsCheckOptions = {}): SecretsCheck {
  const queue = fairQueue({ perOwner: 128, inAll: 1_000 })
  const slow = new Map<string, number>()
  let thread: Promise<Thread> | undefined
  let closed = false

  async function run(owner: string, job: SecretsCheckJob): Promise<void> {
    if (closed) throw uploadRefused('the operator is closed')
    const whose = `${owner} ${job.schema}`
    if ((slow.get(whose) ?? 0) > performance.now()) throw uploadRefused(tooLong)
    const { problem } = await (await (thread ?? start())).ask(job, deadlineMs)
    if (problem === undefined) return
    if (problem === tooLong) {
      if (slow.size >= maxSlow) slow.clear()
      slow.set(whose, performance.now() + slowForMs)
    }
    throw uploadRefused(problem)
  }

  function start(): Promise<Thread> {
    const started = startThread(() => {
      // One that was ended is gone only later, when the next has long taken its place.
      if (thread === started) thread = undefined
    })
    thread = started
    return started
  }

  return {
    check: ({ policyClient, schema, secrets }, signal) =>
      unlessAborted(
        signal,
        queue.add(policyClient, () => run(policyClient, { schema, secrets }), signal),
      ),
    async close() {
      closed = true
      const running = await thread?.catch(() => undefined)
      await running?.end()
    },
  }
}

type Thread = {
  /** Ends with the thread's answer, with the thread, or at the deadline; one job at a time. */
  ask(job: SecretsCheckJob, deadlineMs: number): Promise<SecretsCheckAnswer>
  end(): Promise<unknown>
}

/** @param onEnd told, however it ends, that it is not to be asked again; also more than once */
function startThread(onEnd: () => void): Promise<Thread> {
  let answered: ((answer: SecretsCheckAnswer) => void) | undefined
  const worker = new Worker(new URL('./secretsCheck.worker.mjs', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  })
  const lose = (problem: string) => {
    onEnd()
    answered?.({ problem })
    return worker.terminate()
  }
  const thread: Thread = {
    ask: (job, deadlineMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => void lose(tooLong), deadlineMs)
        answered = (answer) => {
          answered = undefined
          clearTimeout(timer)
          worker.unref()
          resolve(answer)
        }
        worker.ref()
        worker.postMessage(job)
      }),
    end: () => worker.terminate(),
  }
  return new Promise((resolve, reject) => {
    worker.on('message', (message: 'ready' | SecretsCheckAnswer) => {
      if (message === 'ready') resolve(thread)
      else answered?.(message)
    })
    worker.on('error', (error) => {
      reject(error)
      void lose('the secrets schema takes too much memory')
    })
    worker.on('exit', () => {
      reject(new Error('the thread that checks secrets ended'))
      void lose('the secrets schema cannot be used')
    })
  })
}
