import { parentPort, workerData } from 'node:worker_threads'
import { secretsProblem } from '../envelopes/secretsSchema.ts'
import {
  compileUntrustedSchema,
  parseUntrustedSchema,
  watchPatterns,
} from '../envelopes/untrustedSchema.ts'
import type { JobThreadReady } from '../scheduling/jobThreads.ts'
import { ownTimeFile } from '../scheduling/threadTime.mjs'
import { markPattern } from './patternMark.ts'

/** All are JSON text. */
export type SchemaJob =
  | { readonly schema: string; readonly secrets: string }
  | { readonly schema: string; readonly document: string }
/** `problem` of secrets is undefined for valid ones, `misfit` the first place where a document does not fit. */
export type SchemaAnswer =
  | { readonly problem: string | undefined }
  | { readonly misfit: SchemaMisfit | undefined }
  | { readonly unusable: string }

/** `at` is a JSON pointer, '' for the whole document. */
export type SchemaMisfit = { readonly at: string; readonly message: string }

const mark = workerData as SharedArrayBuffer
watchPatterns((pattern) => markPattern(mark, pattern))

function answer(job: SchemaJob): SchemaAnswer {
  if ('secrets' in job) return { problem: secretsProblem(job.schema, job.secrets) }
  try {
    const schema = parseUntrustedSchema(job.schema)
    const errorsOf = compileUntrustedSchema(schema, { formats: true, allErrors: false })
    const [first] = errorsOf(JSON.parse(job.document)) ?? []
    if (first === undefined) return { misfit: undefined }
    return { misfit: { at: first.instancePath, message: first.message ?? 'is not valid' } }
  } catch (error) {
    return { unusable: (error as Error).message }
  }
}

parentPort?.on('message', (job: SchemaJob) => parentPort?.postMessage(answer(job)))
parentPort?.postMessage({ timeFile: ownTimeFile() } satisfies JobThreadReady)
