import { BuiltinError } from '../errors.ts'
import { display } from '../values/display.ts'
import type { Value } from '../values/value.ts'
import { type Builtin, cached } from './builtin.ts'
import { goJsonError } from './goJson.ts'
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
    keepsWritten: [1],
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
 * OPA reads the variables from their text in Rego as JSON, which has no sets, only texts as keys, and fewer escapes.
 *
 * @throws BuiltinError
 */
function requireJson(variables: Value): void {
  const reason = goJsonError(display(variables), { token: false })
  if (reason !== undefined) throw new BuiltinError(reason)
}
