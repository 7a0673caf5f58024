import { EngineCache } from 'polgate-rego/engineCache.ts'
import { RegoError } from 'polgate-rego/errors.ts'
import { stringify } from 'polgate-rego/values/json.ts'
import { JsonError } from 'polgate-rego/values/parseJson.ts'
import { isSet, type Value } from 'polgate-rego/values/value.ts'
import {
  evaluationInputs,
  type PolicyEngineOptions,
  policyEngineOptions,
  rulesOf,
} from './policyEngine.ts'
import { PolicyError, policyDetails } from './policyError.ts'
import type { PolicyEvaluation, PolicyOutcome } from './policyEvaluator.ts'

/** Evaluates policies in this thread; caches compiled ones by content. */
export type PolicyRunner = {
  /** @throws PolicyError with the details of `Rego evaluation failed: {details}` */
  run(evaluation: PolicyEvaluation): PolicyOutcome
}

const maxKept = 64

export function createPolicyRunner(options: PolicyEngineOptions): PolicyRunner {
  const engines = new EngineCache({ ...policyEngineOptions(options), capacity: maxKept })

  function run(given: PolicyEvaluation): PolicyOutcome {
    const { wasm, options } = evaluationInputs(given)
    const engine = engines.get([{ name: 'policy.rego', source: given.source }])
    const evaluation = engine.begin(options)
    const { path, deny } = rulesOf(given.entrypoint)
    const value = evaluation.rule(path)
    if (value === undefined) throw new PolicyError(`undefined rule '${path}'`)
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

/** The strings of a set or an array, sorted; other kinds are ignored. */
function textsOf(value: Value | undefined): string[] {
  if (value === undefined) return []
  const items = Array.isArray(value) ? value : isSet(value) ? value.values() : []
  return [...items].filter((item): item is string => typeof item === 'string').sort()
}

function asPolicyError(error: unknown): unknown {
  if (error instanceof RegoError) {
    const plain = error.message.startsWith('undefined rule')
    return new PolicyError(policyDetails(plain ? error.message : error.text), { cause: error })
  }
  if (error instanceof JsonError)
    return new PolicyError(policyDetails(error.message), { cause: error })
  return error
}
