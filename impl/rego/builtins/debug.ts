import { BuiltinError, LimitError, RegoError } from '../errors.ts'
import { display } from '../values/display.ts'
import { RegoObject } from '../values/object.ts'
import { isSet, type Value } from '../values/value.ts'
import type { Builtin } from './builtin.ts'
import { chargeText } from './json.ts'
import { asArray, asString, unavailable } from './operands.ts'
import { ANY, ANY_ARRAY, ANY_OBJECT, ANY_SET, arrayOf, BOOLEAN, objectOf, STRING } from './types.ts'

const show = (value: Value): string => (typeof value === 'string' ? value : display(value))

/** The parts of a line to print; an empty set is an undefined operand. */
function shown(value: Value): string {
  if (!isSet(value)) return show(value)
  const [first] = value.values()
  return first === undefined ? '<undefined>' : show(first)
}

export const debugBuiltins: readonly Builtin[] = [
  {
    name: 'print',
    args: [],
    variadic: ANY,
    result: BOOLEAN,
    nondeterministic: true,
    call: (ctx, ...args) => {
      for (const arg of args) chargeText(ctx, arg)
      ctx.print?.(args.map(show).join(' '))
      return true
    },
  },
  {
    // Compiled form of print: each operand is a set, which is empty if undefined.
    name: 'internal.print',
    args: [arrayOf(ANY_SET)],
    result: BOOLEAN,
    nondeterministic: true,
    call: (ctx, a: Value) => {
      chargeText(ctx, a)
      ctx.print?.(asArray(a, 1).map(shown).join(' '))
      return true
    },
  },
  {
    name: 'trace',
    args: [STRING],
    result: BOOLEAN,
    call: (_, a: Value) => asString(a, 1) !== null,
  },
  { name: 'internal.test_case', args: [ANY_ARRAY], result: BOOLEAN, call: () => true },
  {
    name: 'internal.template_string',
    args: [ANY_ARRAY],
    result: STRING,
    call: (ctx, a: Value) => {
      chargeText(ctx, a)
      return asArray(a, 1)
        .map((part) => {
          if (isSet(part) && part.size > 1) {
            throw new BuiltinError(
              'template-strings must not produce multiple outputs',
              'eval_conflict_error',
            )
          }
          return shown(part)
        })
        .join('')
    },
  },
  {
    name: 'opa.runtime',
    args: [],
    result: objectOf(STRING, ANY),
    nondeterministic: true,
    call: (ctx) => ctx.runtime ?? new RegoObject(),
  },
  {
    // Needs access to the policy, which the engine provides.
    name: 'rego.parse_module',
    args: [STRING, STRING],
    result: objectOf(STRING, ANY),
    call: (ctx, a: Value, b: Value) => {
      const [file, source] = [asString(a, 1), asString(b, 2)]
      try {
        const parse = ctx.hooks?.parseModule ?? unavailable('policies cannot be read here')
        return parse(file, source)
      } catch (error) {
        if (error instanceof LimitError || !(error instanceof RegoError)) throw error
        throw new BuiltinError(error.text, undefined, { cause: error })
      }
    },
  },
]

/** An error, because operators would not get the same answer (decision R12). */
export const refusedBuiltins: readonly Builtin[] = [
  {
    name: 'http.send',
    args: [objectOf(STRING, ANY)],
    result: ANY_OBJECT,
    nondeterministic: true,
    call: () => unavailable('there is no network access'),
  },
]
