import type { Location } from '../errors.ts'
import type { Module } from '../syntax/ast.ts'
import type { Span } from '../syntax/source.ts'

export type Reduced = {
  readonly modules: readonly Module[]
  /** The names of the rules and imports that are left out. */
  readonly names: readonly string[]
}

/** The modules without the rule or import at a place, or undefined if there is none. */
export function withoutRuleAt(
  modules: readonly Module[],
  location: Location | undefined,
): Reduced | undefined {
  if (location === undefined) return undefined
  const names: string[] = []
  let isFound = false
  const others = modules.map((module) => {
    if (isFound) return module
    const rules = module.rules.filter((rule) => !isWithin(rule.span, location))
    const imports = module.imports.filter((each) => !isWithin(each.span, location))
    for (const { head, span } of module.rules) {
      if (isWithin(span, location) && head.ref.head.kind === 'var') names.push(head.ref.head.name)
    }
    for (const { path, alias, span } of module.imports) {
      if (isWithin(span, location)) names.push(alias ?? String(path.span.text.split('.').at(-1)))
    }
    isFound = rules.length < module.rules.length || imports.length < module.imports.length
    return isFound ? { ...module, rules, imports } : module
  })
  return isFound ? { modules: others, names } : undefined
}

function isWithin({ source, start, end }: Span, { file, row, col }: Location): boolean {
  if (source.file !== file) return false
  const [first, last] = [source.locate(start), source.locate(end)]
  const isAfterStart = row > first.row || (row === first.row && col >= first.col)
  return isAfterStart && (row < last.row || (row === last.row && col <= last.col))
}
