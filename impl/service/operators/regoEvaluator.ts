import { availableParallelism } from 'node:os'
import { unlessAborted } from 'polgate-lib/async/unlessAborted.ts'
import type { Brand } from 'polgate-protocol/brand.ts'
import { JobThreadError, type JobThreadFailure } from '../scheduling/jobThreadError.ts'
import { createJobThreads } from '../scheduling/jobThreads.ts'
import type { EvaluatorAnswer } from './evaluatorThread.ts'
import { createInFlight } from './inFlight.ts'
import { regoFailed } from './operatorErrors.ts'
import type { PolicyEvaluation, PolicyEvaluator, PolicyOutcome } from './policyEvaluator.ts'
import type { PolicyRunnerOptions } from './policyRunner.ts'

export type RegoEvaluatorOptions = {
  readonly brand: Brand
  /** CPU time of one evaluation, milliseconds (decisions, section 9). */
  readonly workMs?: number
  /** Default: one for each core, two at most. */
  readonly threads?: number
}

/** What the engine's own limit cannot stop, such as one endless built-in, is ended this much later. */
const hardAfterMs = 3_000

const details: Record<JobThreadFailure, string> = {
  work: 'the evaluation took too long',
  late: 'the evaluator has no time for it now',
  memory: 'the evaluation took too much memory',
  crash: 'the evaluator ended',
  start: 'the evaluator does not start',
  busy: 'too many are waiting',
  closed: 'the operator is closed',
}
/** These say nothing about the policy: a later call may pass. */
const transient: readonly JobThreadFailure[] = ['late', 'start', 'busy']

/**
 * Evaluates policies in threads, so that no policy, whoever wrote it, holds up the gateway: one that
 * does not end is ended with its thread, and owners take turns.
 */
export function createRegoEvaluator(options: RegoEvaluatorOptions): PolicyEvaluator {
  const { brand, workMs = 2_000 } = options
  const workerData: PolicyRunnerOptions = { namespace: brand.regoNamespace, workMs }
  const threads = createJobThreads<PolicyEvaluation, EvaluatorAnswer>({
    script: new URL('./evaluator.worker.mjs', import.meta.url),
    workerData,
    heapMiB: 512,
    threads: options.threads ?? Math.min(2, availableParallelism()),
    workMs: workMs + hardAfterMs,
    perOwner: 500,
    inAll: 1_000,
  })
  const share = createInFlight<PolicyOutcome>()

  async function run(evaluation: PolicyEvaluation): Promise<PolicyOutcome> {
    const owner = evaluation.owner ?? evaluation.source
    // Without a signal: shared work goes on when one of those who wait for it gives up.
    const answer = await threads.run(evaluation, { owner }).catch(asServiceError)
    if ('outcome' in answer) return answer.outcome
    if ('details' in answer) throw regoFailed(answer.details)
    throw new Error(`the evaluator failed: ${answer.broken}`)
  }

  threads.warm()
  return {
    // An evaluation is a function of what it is given, so operators that are given the same share it.
    evaluate: (evaluation, signal) =>
      unlessAborted(
        signal,
        share(JSON.stringify(evaluation), () => run(evaluation)),
      ),
    close: () => threads.close(),
  }
}

function asServiceError(error: unknown): never {
  if (!(error instanceof JobThreadError)) throw error
  throw regoFailed(details[error.code], error, transient.includes(error.code))
}
