import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Brand } from '../protocol/brand.ts'
import type { EvaluatorAnswer } from './evaluatorThread.ts'
import { createInFlight, unlessAborted } from './inFlight.ts'
import { regoFailed } from './operatorErrors.ts'
import type { PolicyEvaluation, PolicyEvaluator, PolicyOutcome } from './policyEvaluator.ts'
import type { PolicyRunnerOptions } from './policyRunner.ts'

export type RegoEvaluatorOptions = {
  readonly brand: Brand
  /** Wall clock of one evaluation, milliseconds (decisions, section 9). */
  readonly deadlineMs?: number
  /** Default: one for each core, two at most. */
  readonly threads?: number
}

type Job = {
  readonly evaluation: PolicyEvaluation
  readonly resolve: (outcome: PolicyOutcome) => void
  readonly reject: (error: unknown) => void
}

type Thread = {
  readonly worker: Worker
  ready: boolean
  job: Job | undefined
  timer: NodeJS.Timeout | undefined
}

const maxQueued = 1_000
/** What the engine's own deadline cannot stop, such as one endless built-in, is ended this much later. */
const hardAfterMs = 3_000

/**
 * Evaluates policies in threads, so that no policy, whoever wrote it, holds up the gateway: one that
 * does not end is ended with its thread.
 */
export function createRegoEvaluator(options: RegoEvaluatorOptions): PolicyEvaluator {
  const { brand, deadlineMs = 2_000 } = options
  const maxThreads = options.threads ?? Math.min(2, availableParallelism())
  const threads = new Set<Thread>()
  const queue: Job[] = []
  const share = createInFlight<PolicyOutcome>()
  let closed = false

  function start(): void {
    const workerData: PolicyRunnerOptions = { namespace: brand.regoNamespace, deadlineMs }
    const worker = new Worker(new URL('./evaluator.worker.mjs', import.meta.url), {
      workerData,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    const thread: Thread = { worker, ready: false, job: undefined, timer: undefined }
    threads.add(thread)
    worker.on('message', (message: 'ready' | EvaluatorAnswer) => {
      if (message === 'ready') thread.ready = true
      else settle(thread, message)
      next(thread)
    })
    worker.on('error', (error) => lose(thread, error))
    worker.on('exit', () => lose(thread, new Error('the evaluator ended')))
    if (queue.length === 0) worker.unref()
  }

  function next(thread: Thread): void {
    const job = queue.shift()
    if (job === undefined) {
      thread.worker.unref()
      return
    }
    thread.worker.ref()
    thread.job = job
    thread.timer = setTimeout(() => end(thread), deadlineMs + hardAfterMs)
    thread.worker.postMessage(job.evaluation)
  }

  function settle(thread: Thread, answer: EvaluatorAnswer): void {
    clearTimeout(thread.timer)
    const { job } = thread
    thread.job = undefined
    if (job === undefined) return
    if ('outcome' in answer) job.resolve(answer.outcome)
    else if ('details' in answer) job.reject(regoFailed(answer.details))
    else job.reject(new Error(`the evaluator failed: ${answer.broken}`))
  }

  function end(thread: Thread): void {
    threads.delete(thread)
    thread.job?.reject(regoFailed('the evaluation took too long'))
    thread.job = undefined
    void thread.worker.terminate()
    replace()
  }

  /** A thread that is gone of itself, such as for want of memory. */
  function lose(thread: Thread, error: Error): void {
    if (!threads.delete(thread)) return
    clearTimeout(thread.timer)
    // One that did not even start would not start again either.
    if (!thread.ready) for (const job of queue.splice(0)) job.reject(error)
    const memory = (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
    thread.job?.reject(regoFailed(memory ? 'the evaluation took too much memory' : error.message))
    replace()
  }

  function replace(): void {
    if (!closed && queue.length > 0 && threads.size < maxThreads) start()
  }

  const enqueue = (evaluation: PolicyEvaluation): Promise<PolicyOutcome> =>
    new Promise((resolve, reject) => {
      if (closed || queue.length >= maxQueued) {
        return reject(regoFailed(closed ? 'the operator is closed' : 'too many are waiting'))
      }
      queue.push({ evaluation, resolve, reject })
      const idle = [...threads].find(({ ready, job }) => ready && job === undefined)
      if (idle !== undefined) return next(idle)
      if (threads.size < maxThreads) start()
      // One that still starts will find the job: until then it alone keeps the process alive.
      for (const { ready, worker } of threads) if (!ready) worker.ref()
    })

  start()
  return {
    // An evaluation is a function of what it is given, so operators that are given the same share it.
    evaluate: (evaluation, signal) =>
      unlessAborted(
        signal,
        share(JSON.stringify(evaluation), () => enqueue(evaluation)),
      ),
    async close() {
      closed = true
      for (const job of queue.splice(0)) job.reject(regoFailed('the operator is closed'))
      const all = [...threads]
      threads.clear()
      for (const { job, timer } of all) {
        clearTimeout(timer)
        job?.reject(regoFailed('the operator is closed'))
      }
      await Promise.all(all.map(({ worker }) => worker.terminate()))
    },
  }
}
