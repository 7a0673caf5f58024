import { parentPort, workerData } from 'node:worker_threads'
import { LimitError } from 'polgate-rego/errors.ts'
import { type PrivateUses, privateUses } from 'polgate-rego/privateUses.ts'
import type { JobThreadReady } from '../scheduling/jobThreads.ts'
import { ownTimeFile } from '../scheduling/threadTime.mjs'
import { createParamsCheck } from './paramsSchema.ts'
import type { PolicyEngineOptions } from './policyEngine.ts'
import { PolicyError } from './policyError.ts'
import type { PolicyEvaluation, PolicyOutcome } from './policyEvaluator.ts'
import { createPolicyRunner } from './policyRunner.ts'

/** The reply of the thread: the outcome, or the details of the failure. */
export type EvaluatorAnswer =
  | { readonly outcome: PolicyOutcome }
  | { readonly details: string }
  | { readonly uses: PrivateUses }
  | { readonly broken: string }

/** An evaluation, or the question which private data a policy may use. */
export type EvaluatorJob = PolicyEvaluation | { readonly usesOf: string }

const options = workerData as PolicyEngineOptions
const runner = createPolicyRunner(options)
const checkParams = createParamsCheck()

function answer(evaluation: EvaluatorJob): EvaluatorAnswer {
  try {
    if ('usesOf' in evaluation) return { uses: privateUses(evaluation.usesOf, options.namespace) }
    checkParams(evaluation.params, evaluation.paramsSchema)
    return { outcome: runner.run(evaluation) }
  } catch (error) {
    if (error instanceof PolicyError || error instanceof LimitError)
      return { details: error.message }
    return { broken: String((error as Error | undefined)?.stack ?? error) }
  }
}

parentPort?.on('message', (evaluation: EvaluatorJob) => {
  parentPort?.postMessage(answer(evaluation))
})
parentPort?.postMessage({ timeFile: ownTimeFile() } satisfies JobThreadReady)
