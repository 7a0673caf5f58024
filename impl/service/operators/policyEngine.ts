import { createHash } from 'node:crypto'
import { profileBuiltins } from 'polgate-rego/builtins/capabilities.ts'
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
 * The documents, the time and the seed of an evaluation, the same for all operators.
 *
 * @throws PolicyError for an output that is not an object; JsonError for one that is not JSON
 */
export function evaluationInputs({ input, params, data, now }: PolicyEvaluation): {
  readonly wasm: ObjectValue
  readonly options: EvaluateOptions
} {
  const wasm = merged(data)
  const documents = new RegoObject()
  documents.set('params', parseJson(params, { written: true }))
  documents.set('wasm', wasm)
  return {
    wasm,
    options: {
      inputJson: input,
      data: documents,
      nowNs: () => BigInt(now) * 1_000_000n,
      // The same for all operators, so that they get the same result.
      seed: () => createHash('sha256').update(`${now} ${input}`).digest().subarray(0, 16),
    },
  }
}

/** The path of the `deny` rule beside an entrypoint (decision T16). */
export function rulesOf(entrypoint: string): { readonly path: string; readonly deny: string } {
  const path = entrypoint.replace(/^data\./, '')
  return { path, deny: `${path.slice(0, path.lastIndexOf('.'))}.deny` }
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
