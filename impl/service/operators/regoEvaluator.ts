import { availableParallelism } from 'node:os'
import { unlessAborted } from 'polgate-lib/async/unlessAborted.ts'
import type { Brand } from 'polgate-protocol/brand.ts'
import type { PrivateUses } from 'polgate-rego/privateUses.ts'
import { JobThreadError, type JobThreadFailure } from '../scheduling/jobThreadError.ts'
import { createJobThreads } from '../scheduling/jobThreads.ts'
import type { EvaluatorAnswer, EvaluatorJob } from './evaluatorThread.ts'
import { createInFlight } from './inFlight.ts'
import { createKeptUses } from './keptUses.ts'
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
  })
  const share = createInFlight<PolicyOutcome>()
  const uses = createKeptUses((source) => answerOf({ usesOf: source }, source).then(usesIn))

  async function run(evaluation: PolicyEvaluation): Promise<PolicyOutcome> {
    const answer = await answerOf(evaluation, evaluation.owner ?? evaluation.source)
    if ('outcome' in answer) return answer.outcome
    throw failureOf(answer)
  }

  // Without a signal: shared work continues when one of its callers aborts.
  const answerOf = (job: EvaluatorJob, owner: string): Promise<EvaluatorAnswer> =>
    threads.run(job, { owner }).catch(asServiceError)

  threads.warm()
  return {
    // An evaluation is deterministic, so operators with equal inputs share it.
    evaluate: (evaluation, signal) =>
      unlessAborted(
        signal,
        share(JSON.stringify(evaluation), () => run(evaluation)),
      ),
    privateUses: (source, signal) => unlessAborted(signal, uses(source)),
    close: () => threads.close(),
  }
}

function asServiceError(error: unknown): never {
  if (!(error instanceof JobThreadError)) throw error
  throw regoFailed(details[error.code], error, transient.includes(error.code))
}

function usesIn(answer: EvaluatorAnswer): PrivateUses {
  if ('uses' in answer) return answer.uses
  throw failureOf(answer)
}

function failureOf(answer: EvaluatorAnswer): Error {
  if ('details' in answer) return regoFailed(answer.details)
  return new Error(`the evaluator failed: ${'broken' in answer ? answer.broken : 'another answer'}`)
}
