import { parentPort, workerData } from 'node:worker_threads'
import { RegoError } from 'polgate-rego/errors.ts'
import { type PrivateUses, privateUses } from 'polgate-rego/privateUses.ts'
import type { JobThreadReady } from '../scheduling/jobThreads.ts'
import { ownTimeFile } from '../scheduling/threadTime.mjs'
import { createParamsCheck } from './paramsSchema.ts'
import type { PolicyEngineOptions } from './policyEngine.ts'
import { PolicyError, policyDetails } from './policyError.ts'
import type { PolicyEvaluation, PolicyOutcome } from './policyEvaluator.ts'
import { createPolicyRunner } from './policyRunner.ts'

/** What the thread does: an evaluation, or to say what private data a source reads. */
export type EvaluatorJob = { readonly evaluation: PolicyEvaluation } | { readonly usesOf: string }

/** The reply of the thread: the outcome, or the details of the failure. */
export type EvaluatorAnswer =
  | { readonly outcome: PolicyOutcome }
  | { readonly uses: PrivateUses }
  | { readonly details: string }
  | { readonly broken: string }

const options = workerData as PolicyEngineOptions
const runner = createPolicyRunner(options)
const checkParams = createParamsCheck()

function done(job: EvaluatorJob): EvaluatorAnswer {
  if ('usesOf' in job) return { uses: privateUses(job.usesOf, options.namespace) }
  const { evaluation } = job
  checkParams(evaluation.params, evaluation.paramsSchema)
  return { outcome: runner.run(evaluation) }
}

function answer(job: EvaluatorJob): EvaluatorAnswer {
  try {
    return done(job)
  } catch (error) {
    if (error instanceof PolicyError) return { details: error.message }
    const isPrivate = 'evaluation' in job && job.evaluation.privateData !== undefined
    // The stack begins with the message, which may quote what was opened.
    if (isPrivate) return { broken: 'details are hidden: private data' }
    if (error instanceof RegoError) return { details: policyDetails(error.text) }
    return { broken: String((error as Error | undefined)?.stack ?? error) }
  } finally {
    // Also where the evaluation has not begun.
    if ('evaluation' in job) job.evaluation.privateData?.fill(0)
  }
}

parentPort?.on('message', (job: EvaluatorJob) => {
  parentPort?.postMessage(answer(job))
})
parentPort?.postMessage({ timeFile: ownTimeFile() } satisfies JobThreadReady)
