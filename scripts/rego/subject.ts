import { Engine } from '../../impl/rego/engine.ts'
import { RegoError } from '../../impl/rego/errors.ts'
import type { Value } from '../../impl/rego/values/value.ts'
import type { Case } from './cases.ts'
import type { Answer, Outcome } from './judge.ts'

/** Puts one case through the engine: modules, query, then each input in turn. */
export const run = (one: Case): Outcome => {
  try {
    const engine = new Engine()
    one.modules.forEach((source, i) => {
      engine.addModule(`test-${i}.rego`, source)
    })
    const prepared = engine.prepare(one.query)
    const inputs = one.inputTerm === undefined ? one.inputs : [termValue(one.inputTerm)]
    const runs = inputs.map((input): readonly Answer[] =>
      prepared.evaluate({
        ...(input === undefined ? {} : { input }),
        ...(one.data === undefined ? {} : { data: one.data }),
        strict: one.strict,
      }),
    )
    return { kind: 'answers', runs }
  } catch (error) {
    if (!(error instanceof RegoError)) throw error
    return { kind: 'error', code: error.code, text: error.text }
  }
}

/** The value of a ground term, written in Rego. */
const termValue = (term: string): Value => {
  const [answer] = new Engine().prepare(term).evaluate({})
  const value = answer?.expressions[0]
  if (value === undefined) throw new Error(`input_term has no value: ${term}`)
  return value
}
