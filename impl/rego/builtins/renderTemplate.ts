import { BuiltinError } from '../errors.ts'
import { display } from '../values/display.ts'
import { isArray, isObject, isSet, type Value } from '../values/value.ts'
import { type Builtin, cached } from './builtin.ts'
import { chargeText } from './json.ts'
import { asObject, asString } from './operands.ts'
import { parseTemplate } from './template/parse.ts'
import { renderTemplate } from './template/render.ts'
import { ANY, objectOf, STRING } from './types.ts'

export const templateBuiltins: readonly Builtin[] = [
  {
    name: 'strings.render_template',
    args: [STRING, objectOf(STRING, ANY)],
    result: STRING,
    call: (ctx, a: Value, b: Value) => {
      const [source, variables] = [asString(a, 1), asObject(b, 2)]
      ctx.meter.charge(source.length)
      chargeText(ctx, variables)
      requireJson(variables)
      const nodes = cached(ctx, 'template', source, () => parseTemplate(source))
      return renderTemplate(ctx, nodes, variables)
    },
  },
]

/**
 * OPA reads the variables from their text in Rego as JSON, which has no sets, and texts as keys only.
 *
 * @throws BuiltinError
 */
function requireJson(value: Value): void {
  if (isArray(value)) for (const item of value) requireJson(item)
  else if (isSet(value)) refuseSet(value.values())
  else if (isObject(value)) {
    for (const [key, of] of value.entries()) {
      if (typeof key !== 'string') throw notAKey(key)
      requireJson(of)
    }
  }
}

function refuseSet([first, ...rest]: readonly Value[]): never {
  if (first === undefined)
    throw new BuiltinError("invalid character 's' looking for beginning of value")
  if (typeof first !== 'string') throw notAKey(first)
  throw new BuiltinError(`invalid character '${rest.length === 0 ? '}' : ','}' after object key`)
}

const notAKey = (key: Value): BuiltinError =>
  new BuiltinError(
    `invalid character '${display(key)[0]}' looking for beginning of object key string`,
  )
