import type { Location, RegoError } from '../errors.ts'
import type { Import, Module, Rule } from '../syntax/ast.ts'
import type { Span } from '../syntax/source.ts'

export type Reduced = {
  readonly modules: readonly Module[]
  /** The names of the rules and imports that are left out. */
  readonly names: readonly string[]
}

/** The modules without the rules and imports at the places of errors, or undefined if there are none. */
export function withoutRulesAt(
  modules: readonly Module[],
  errors: readonly RegoError[],
): Reduced | undefined {
  const places = new Map<string, Location[]>()
  for (const { location } of errors) {
    if (location === undefined) continue
    const same = places.get(location.file)
    if (same === undefined) places.set(location.file, [location])
    else same.push(location)
  }
  const names: string[] = []
  let isFound = false
  const others = modules.map((module) => {
    const wrong = places.get(module.package.span.source.file)
    if (wrong === undefined) return module
    const isRight = ({ span }: Rule | Import): boolean =>
      !wrong.some((location) => isWithin(span, location))
    const rules = module.rules.filter(isRight)
    const imports = module.imports.filter(isRight)
    for (const rule of module.rules) {
      const { head } = rule.head.ref
      if (!isRight(rule) && head.kind === 'var') names.push(head.name)
    }
    for (const each of module.imports) {
      const { path, alias } = each
      if (!isRight(each)) names.push(alias ?? String(path.span.text.split('.').at(-1)))
    }
    isFound ||= rules.length < module.rules.length || imports.length < module.imports.length
    return { ...module, rules, imports }
  })
  return isFound ? { modules: others, names } : undefined
}

function isWithin({ source, start, end }: Span, { row, col }: Location): boolean {
  const [first, last] = [source.locate(start), source.locate(end)]
  const isAfterStart = row > first.row || (row === first.row && col >= first.col)
  return isAfterStart && (row < last.row || (row === last.row && col <= last.col))
}
