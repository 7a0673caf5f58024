import { createHash } from 'node:crypto'
import { profileBuiltins } from 'polgate-rego/builtins/capabilities.ts'
import { type PrivateData, privateDataOf } from 'polgate-rego/builtins/private/privateData.ts'
import type { EvaluateOptions } from 'polgate-rego/engine.ts'
import type { EngineCacheOptions } from 'polgate-rego/engineCache.ts'
import { RegoObject } from 'polgate-rego/values/object.ts'
import { parseJson } from 'polgate-rego/values/parseJson.ts'
import { isObject, type ObjectValue } from 'polgate-rego/values/value.ts'
import { createThreadClock } from '../scheduling/threadTime.mjs'
import { PolicyError } from './policyError.ts'
import type { PolicyEvaluation } from './policyEvaluator.ts'

export type PolicyEngineOptions = {
  /** Namespace of the extensions, such as `service` (decision E13). */
  readonly namespace: string
  /** CPU time of one evaluation, milliseconds (decisions, section 9). */
  readonly workMs: number
}

const limits = { steps: 50_000_000, memoryBytes: 256 * 1024 * 1024 }

/** How every engine of policies is made (decision R11). */
export const policyEngineOptions = ({
  namespace,
  workMs,
}: PolicyEngineOptions): Omit<EngineCacheOptions, 'capacity'> => ({
  builtins: profileBuiltins('service', namespace),
  limits: { ...limits, deadlineMs: workMs },
  clock: createThreadClock(),
})

/**
 * The documents, the time and the seed of an evaluation, the same for all operators. Fills the bytes of its
 * private data with zeros.
 *
 * @throws PolicyError for an output that is not an object, and for private data that is malformed; JsonError
 *   for an output that is not JSON
 */
export function evaluationInputs(evaluation: PolicyEvaluation): {
  readonly wasm: ObjectValue
  readonly options: EvaluateOptions
} {
  const { input, params, data, now } = evaluation
  // First: whatever fails later, the bytes are gone.
  const privateData = read(evaluation.privateData)
  const wasm = merged(data)
  const documents = new RegoObject()
  documents.set('params', parseJson(params, { written: true }))
  documents.set('wasm', wasm)
  if (privateData !== undefined) documents.set('privacy', privateData.privacy)
  return {
    wasm,
    options: {
      inputJson: input,
      data: documents,
      nowNs: () => BigInt(now) * 1_000_000n,
      // The same for all operators, so that they get the same result.
      seed: () => createHash('sha256').update(`${now} ${input}`).digest().subarray(0, 16),
      ...(privateData === undefined ? {} : { privateData }),
    },
  }
}

/** The path of the `deny` rule beside an entrypoint (decision T16). */
export function rulesOf(entrypoint: string): { readonly path: string; readonly deny: string } {
  const path = entrypoint.replace(/^data\./, '')
  return { path, deny: `${path.slice(0, path.lastIndexOf('.'))}.deny` }
}

/** Reads private data, and fills its bytes with zeros. */
function read(bytes: Uint8Array | undefined): PrivateData | undefined {
  if (bytes === undefined) return undefined
  try {
    return privateDataOf(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // Without the cause, which may quote the text.
    throw new PolicyError('the private data of the evaluation is malformed')
  } finally {
    bytes.fill(0)
  }
}

/** Members of later outputs replace those of earlier ones (decision R5). */
function merged(outputs: readonly string[]): ObjectValue {
  const wasm = new RegoObject()
  for (const output of outputs) {
    const value = parseJson(output, { written: true })
    if (!isObject(value)) throw new PolicyError('policy data is not a JSON object')
    value.forEach((key, member) => {
      wasm.set(key, member)
    })
  }
  return wasm
}
