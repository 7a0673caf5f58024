import { profileBuiltins } from '../builtins/capabilities.ts'
import type { ProfileName } from '../builtins/profiles.ts'
import { dialectOf } from '../compile/dialect.ts'
import { createEngine } from '../engine.ts'
import { RegoError } from '../errors.ts'
import { stringify } from '../values/json.ts'
import type { Answer, Program } from './difference.ts'

/** The answer of this engine to a program in a profile. */
export function answerHere(program: Program, profile: ProfileName): Answer {
  const { modules, query = 'data.test.p', input, data, strict = false } = program
  try {
    const engine = createEngine({
      modules: modules.map((source, i) => ({ name: `test-${i}.rego`, source })),
      builtins: profileBuiltins(profile),
      dialect: dialectOf(profile),
      strict,
      ...(data === undefined ? {} : { data }),
    })
    const [row] = engine.prepare(query).evaluate(input === undefined ? {} : { input })
    const value = row?.expressions[0]?.value
    return value === undefined ? 'undefined' : stringify(value)
  } catch (error) {
    // Anything but an error of Rego is a fault of the engine.
    if (!(error instanceof RegoError) || error.cause instanceof TypeError) throw error
    return error.code
  }
}
