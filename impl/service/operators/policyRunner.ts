import { createHash } from 'node:crypto'
import { profileBuiltins } from 'polgate-rego/builtins/capabilities.ts'
import { EngineCache } from 'polgate-rego/engineCache.ts'
import { RegoError } from 'polgate-rego/errors.ts'
import { stringify } from 'polgate-rego/values/json.ts'
import { RegoObject } from 'polgate-rego/values/object.ts'
import { JsonError, parseJson } from 'polgate-rego/values/parseJson.ts'
import { isObject, isSet, type ObjectValue, type Value } from 'polgate-rego/values/value.ts'
import { createThreadClock } from '../scheduling/threadTime.mjs'
import { PolicyError } from './policyError.ts'
import type { PolicyEvaluation, PolicyOutcome } from './policyEvaluator.ts'

export type PolicyRunnerOptions = {
  /** Namespace of the extensions, such as `service` (decision E13). */
  readonly namespace: string
  /** CPU time of one evaluation, milliseconds (decisions, section 9). */
  readonly workMs: number
}

/** Evaluates policies in this thread; caches compiled ones by content. */
export type PolicyRunner = {
  /** @throws PolicyError with the details of `Rego evaluation failed: {details}` */
  run(evaluation: PolicyEvaluation): PolicyOutcome
}

const maxKept = 64
const limits = { steps: 50_000_000, memoryBytes: 256 * 1024 * 1024 }

export function createPolicyRunner({ namespace, workMs }: PolicyRunnerOptions): PolicyRunner {
  const engines = new EngineCache({
    builtins: profileBuiltins('service', namespace),
    limits: { ...limits, deadlineMs: workMs },
    clock: createThreadClock(),
    capacity: maxKept,
  })

  function run({ source, entrypoint, input, params, data, now }: PolicyEvaluation): PolicyOutcome {
    const wasm = merged(data)
    const documents = new RegoObject()
    documents.set('params', parseJson(params, { written: true }))
    documents.set('wasm', wasm)
    const engine = engines.get([{ name: 'policy.rego', source }])
    const evaluation = engine.begin({
      inputJson: input,
      data: documents,
      nowNs: () => BigInt(now) * 1_000_000n,
      // The same for all operators, so that they get the same result.
      seed: () => createHash('sha256').update(`${now} ${input}`).digest().subarray(0, 16),
    })
    const path = entrypoint.replace(/^data\./, '')
    const value = evaluation.rule(path)
    if (value === undefined) throw new PolicyError(`undefined rule '${path}'`)
    const deny = `${path.slice(0, path.lastIndexOf('.'))}.deny`
    const reasons = engine.hasRule(deny) ? textsOf(evaluation.rule(deny)) : []
    return { result: stringify(value), reasons, wasm: stringify(wasm) }
  }

  return {
    run(evaluation) {
      try {
        return run(evaluation)
      } catch (error) {
        throw asPolicyError(error)
      }
    },
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

/** The strings of a set or an array, sorted; other kinds are ignored. */
function textsOf(value: Value | undefined): string[] {
  if (value === undefined) return []
  const items = Array.isArray(value) ? value : isSet(value) ? value.values() : []
  return [...items].filter((item): item is string => typeof item === 'string').sort()
}

function asPolicyError(error: unknown): unknown {
  if (error instanceof RegoError) {
    const plain = error.message.startsWith('undefined rule')
    return new PolicyError(plain ? error.message : error.text, { cause: error })
  }
  if (error instanceof JsonError) return new PolicyError(error.message, { cause: error })
  return error
}
