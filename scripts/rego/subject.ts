import { builtins } from 'polgate-rego/builtins/registry.ts'
import { createEngine } from 'polgate-rego/engine.ts'
import { RegoError } from 'polgate-rego/errors.ts'
import { typeCheck } from 'polgate-rego/types/check.ts'
import type { Value } from 'polgate-rego/values/value.ts'
import type { Case } from './cases.ts'
import type { Answer, Outcome } from './judge.ts'

/** Evaluates one case: modules, query, then each input in turn. */
export function run(one: Case): Outcome {
  try {
    const engine = createEngine({
      modules: one.modules.map((source, i) => ({ name: `test-${i}.rego`, source })),
      builtins,
      types: typeCheck,
      dialect: one.set === 'opa' || one.set === 'negative' ? 'opa-1.2' : 'engine-0.9',
      strict: one.strict,
      ...(one.data === undefined ? {} : { data: one.data }),
    })
    const prepared = engine.prepare(one.query)
    const inputs = one.inputTerm === undefined ? one.inputs : [termValue(one.inputTerm)]
    const runs = inputs.map((input): readonly Answer[] => {
      const rows = prepared.evaluate(input === undefined ? {} : { input })
      return rows.map(({ bindings, expressions }) => ({
        bindings,
        expressions: expressions.map(({ value }) => value),
      }))
    })
    return { kind: 'answers', runs }
  } catch (error) {
    // A Rego error that reports a fault of the engine is not a valid result.
    if (!(error instanceof RegoError)) throw error
    if (error.code === 'eval_internal_error' && error.cause !== undefined) throw error.cause
    return { kind: 'error', code: error.code, text: error.text }
  }
}

/** The value of a ground Rego term. */
function termValue(term: string): Value {
  const [row] = createEngine({ modules: [] }).prepare(term).evaluate()
  const value = row?.expressions[0]?.value
  if (value === undefined) throw new Error(`input_term has no value: ${term}`)
  return value
}
