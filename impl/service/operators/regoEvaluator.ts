import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { unlessAborted } from 'polgate-lib/async/unlessAborted.ts'
import type { Brand } from 'polgate-protocol/brand.ts'
import type { PrivateUses } from 'polgate-rego/privateUses.ts'
import { JobThreadError, type JobThreadFailure } from '../scheduling/jobThreadError.ts'
import { createJobThreads } from '../scheduling/jobThreads.ts'
import { evaluationKeys } from './evaluationKeys.ts'
import type { EvaluatorAnswer, EvaluatorJob } from './evaluatorThread.ts'
import { createInFlight } from './inFlight.ts'
import { regoFailed } from './operatorErrors.ts'
import type { PolicyEngineOptions } from './policyEngine.ts'
import type { PolicyEvaluation, PolicyEvaluator, PolicyOutcome } from './policyEvaluator.ts'

export type RegoEvaluatorOptions = {
  readonly brand: Brand
  /** CPU time of one evaluation, milliseconds (decisions, section 9). */
  readonly workMs?: number
  /** Grace after the engine's own limit, which cannot interrupt a single built-in; default 3 s. */
  readonly graceMs?: number
  /** Default: one per core, at most two. */
  readonly threads?: number
}

const details: Record<JobThreadFailure, string> = {
  work: 'the evaluation took too long',
  late: 'the evaluator is overloaded',
  memory: 'the evaluation took too much memory',
  crash: 'the evaluator crashed',
  start: 'the evaluator could not start',
  busy: 'too many evaluations are waiting',
  closed: 'the operator is closed',
}
/** Failures unrelated to the policy: a later call may succeed. */
const transient: readonly JobThreadFailure[] = ['late', 'start', 'busy']

/** Policies whose private uses are kept. */
const maxKept = 256

/**
 * Evaluates policies in worker threads, so that an untrusted policy cannot block the gateway: one
 * that does not terminate is ended with its thread, and owners are served round-robin.
 */
export function createRegoEvaluator(options: RegoEvaluatorOptions): PolicyEvaluator {
  const { brand, workMs = 2_000, graceMs = 3_000 } = options
  const workerData: PolicyEngineOptions = { namespace: brand.regoNamespace, workMs }
  const threads = createJobThreads<EvaluatorJob, EvaluatorAnswer>({
    script: new URL('./evaluator.worker.mjs', import.meta.url),
    workerData,
    heapMiB: 512,
    threads: options.threads ?? Math.min(2, availableParallelism()),
    workMs: workMs + graceMs,
    perOwner: 500,
    inAll: 1_000,
    posted,
  })
  const share = createInFlight<PolicyOutcome>()
  const shareUses = createInFlight<PrivateUses>()
  const known = new Map<string, PrivateUses>()
  const keyOf = evaluationKeys()

  async function answerTo(job: EvaluatorJob, owner: string) {
    // Without a signal: shared work continues when one of its callers aborts.
    const answer = await threads.run(job, { owner }).catch(asServiceError)
    if ('details' in answer) throw regoFailed(answer.details)
    if ('broken' in answer) throw new Error(`the evaluator failed: ${answer.broken}`)
    return answer
  }

  async function run(given: PolicyEvaluation): Promise<PolicyOutcome> {
    // A copy, for a retry in another thread, and because the caller wipes its own when it aborts.
    const privateData = given.privateData && new Uint8Array(given.privateData)
    try {
      const evaluation = { ...given, privateData }
      const answer = await answerTo({ evaluation }, given.owner ?? given.source)
      if ('outcome' in answer) return answer.outcome
      throw new Error('the evaluator answered something else')
    } finally {
      privateData?.fill(0)
    }
  }

  async function uses(source: string, owner: string, key: string): Promise<PrivateUses> {
    const answer = await answerTo({ usesOf: source }, owner)
    if (!('uses' in answer)) throw new Error('the evaluator answered something else')
    if (known.size >= maxKept) known.clear()
    known.set(key, answer.uses)
    return answer.uses
  }

  threads.warm()
  return {
    // An evaluation is deterministic, so operators with equal inputs share it.
    evaluate: (evaluation, signal) =>
      unlessAborted(
        signal,
        share(keyOf(evaluation), () => run(evaluation)),
      ),
    async privateUses({ source, owner = source }, signal) {
      const key = createHash('sha256').update(source).digest('base64')
      const found = known.get(key) ?? shareUses(key, () => uses(source, owner, key))
      return await unlessAborted(signal, Promise.resolve(found))
    },
    close: () => threads.close(),
  }
}

/** Private data moves to the thread, which wipes it: no copy of it stays in the message. */
function posted(job: EvaluatorJob): {
  readonly message: EvaluatorJob
  readonly transfer: readonly ArrayBuffer[]
} {
  if (!('evaluation' in job) || job.evaluation.privateData === undefined) {
    return { message: job, transfer: [] }
  }
  const privateData = new Uint8Array(job.evaluation.privateData)
  const evaluation = { ...job.evaluation, privateData }
  return { message: { evaluation }, transfer: [privateData.buffer] }
}

function asServiceError(error: unknown): never {
  if (!(error instanceof JobThreadError)) throw error
  throw regoFailed(details[error.code], error, transient.includes(error.code))
}
