import { parentPort, workerData } from 'node:worker_threads'
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
  | { readonly broken: string }

const runner = createPolicyRunner(workerData as PolicyEngineOptions)
const checkParams = createParamsCheck()

function answer(evaluation: PolicyEvaluation): EvaluatorAnswer {
  try {
    checkParams(evaluation.params, evaluation.paramsSchema)
    return { outcome: runner.run(evaluation) }
  } catch (error) {
    if (error instanceof PolicyError) return { details: error.message }
    return { broken: String((error as Error | undefined)?.stack ?? error) }
  }
}

parentPort?.on('message', (evaluation: PolicyEvaluation) => {
  parentPort?.postMessage(answer(evaluation))
})
parentPort?.postMessage({ timeFile: ownTimeFile() } satisfies JobThreadReady)
