import { parentPort } from 'node:worker_threads'
import { secretsProblem } from '../envelopes/secretsSchema.ts'
import type { JobThreadReady } from '../scheduling/jobThreads.ts'
import { ownTimeFile } from '../scheduling/threadTime.mjs'

/** Both are JSON text. */
export type SecretsCheckJob = { readonly schema: string; readonly secrets: string }
/** `problem` is undefined for valid secrets. */
export type SecretsCheckAnswer = { readonly problem: string | undefined }

parentPort?.on('message', ({ schema, secrets }: SecretsCheckJob) => {
  parentPort?.postMessage({
    problem: secretsProblem(schema, secrets),
  } satisfies SecretsCheckAnswer)
})
parentPort?.postMessage({ timeFile: ownTimeFile() } satisfies JobThreadReady)
