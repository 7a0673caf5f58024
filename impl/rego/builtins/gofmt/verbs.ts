import { formatFloat } from './floats.ts'
import { formatInteger } from './integers.ts'
import { type Argument, type Spec, typeOf } from './pad.ts'
import { formatString } from './strings.ts'

/** Formats one argument with one verb. */
export function formatValue(arg: Argument, verb: string, spec: Spec): string {
  if (verb === 'T') return formatString(typeOf(arg), 's', spec) ?? ''
  const text =
    arg.type === 'string'
      ? formatString(arg.value, verb, spec)
      : arg.type === 'float64'
        ? formatFloat(arg.value, verb, spec)
        : formatInteger(arg, verb, spec)
  if (text !== undefined) return text
  return `%!${verb}(${typeOf(arg)}=${formatValue(arg, 'v', spec)})`
}
