import type { Value } from '../values/value.ts'
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
      const nodes = cached(ctx, 'template', source, () => parseTemplate(source))
      return renderTemplate(ctx, nodes, variables)
    },
  },
]
