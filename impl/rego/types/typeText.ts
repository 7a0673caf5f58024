import type { Type } from '../builtins/types.ts'
import { display } from '../values/display.ts'

/** Maximum number of printed parts of a type; the rest is `...`. */
const MAX_PARTS = 256

/** Placeholder for omitted parts of a large type. */
export const ELLIPSIS = '...'

const texts = new WeakMap<Type, string>()

/** A type in OPA's notation: `array<number, string>`, `set[any]`, `any<number, string>`. */
export function typeText(type: Type): string {
  if (isSimple(type)) return type.kind
  const known = texts.get(type) ?? new Writer().write(type)
  texts.set(type, known)
  return known
}

/** A type without parts. */
export const isSimple = ({ kind }: Type): boolean =>
  kind !== 'array' && kind !== 'object' && kind !== 'set' && kind !== 'union' && kind !== 'function'

class Writer {
  private left = MAX_PARTS

  write(type: Type): string {
    if (this.left-- <= 0) return ELLIPSIS
    switch (type.kind) {
      case 'array': {
        const fixed = type.static.length === 0 ? '' : `<${this.list(type.static)}>`
        return `array${fixed}${type.dynamic === undefined ? '' : `[${this.write(type.dynamic)}]`}`
      }
      case 'object': {
        const fixed = type.static.map(({ key, value }) => {
          const name = typeof key === 'string' ? key : display(key)
          return `${name}: ${this.write(value)}`
        })
        const { dynamic } = type
        const rest =
          dynamic === undefined ? '' : `[${this.write(dynamic.key)}: ${this.write(dynamic.value)}]`
        return `object${fixed.length === 0 ? '' : `<${fixed.join(', ')}>`}${rest}`
      }
      case 'set':
        return `set[${this.write(type.of)}]`
      case 'union': {
        const members = type.of.map((member) => this.write(member))
        return `any<${members.sort().join(', ')}>`
      }
      case 'function':
        return `(${this.list(type.args)}) => ${this.write(type.result)}`
      default:
        return type.kind
    }
  }

  private list(types: readonly Type[]): string {
    return types.map((type) => this.write(type)).join(', ')
  }
}

/** Argument types in OPA's notation; unknown ones are `???`. */
export const typeList = (types: readonly (Type | undefined)[]): string =>
  `(${types.map((type) => (type === undefined ? '???' : typeText(type))).join(', ')})`
