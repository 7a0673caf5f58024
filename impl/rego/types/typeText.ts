import type { Type } from '../builtins/types.ts'
import { display } from '../values/display.ts'

/** Deeper parts of a type are written as `...`. */
const MAX_DEPTH = 8

const texts = new WeakMap<Type, string>()

/** A type as OPA writes it: `array<number, string>`, `set[any]`, `any<number, string>`. */
export const typeText = (type: Type, depth = 0): string => {
  if (depth > MAX_DEPTH) return '...'
  if (depth > 0) return write(type, depth)
  const known = texts.get(type) ?? write(type, 0)
  texts.set(type, known)
  return known
}

const write = (type: Type, depth: number): string => {
  const text = (inner: Type): string => typeText(inner, depth + 1)
  switch (type.kind) {
    case 'array': {
      const fixed = type.static.length > 0 ? `<${type.static.map(text).join(', ')}>` : ''
      return `array${fixed}${type.dynamic === undefined ? '' : `[${text(type.dynamic)}]`}`
    }
    case 'object': {
      const fixed = type.static.map(({ key, value }) => {
        const name = typeof key === 'string' ? key : display(key)
        return `${name}: ${text(value)}`
      })
      const { dynamic } = type
      return `object${fixed.length > 0 ? `<${fixed.join(', ')}>` : ''}${
        dynamic === undefined ? '' : `[${text(dynamic.key)}: ${text(dynamic.value)}]`
      }`
    }
    case 'set':
      return `set[${text(type.of)}]`
    case 'union':
      return `any<${type.of.map(text).sort().join(', ')}>`
    case 'function':
      return `(${type.args.map(text).join(', ')}) => ${text(type.result)}`
    default:
      return type.kind
  }
}

/** Types of arguments as OPA lists them; what is not known is `???`. */
export const typeList = (types: readonly (Type | undefined)[]): string =>
  `(${types.map((type) => (type === undefined ? '???' : typeText(type))).join(', ')})`
