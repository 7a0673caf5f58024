import { RegoError } from '../errors.ts'
import type { Import, Module, Ref, Scalar, Var } from '../syntax/ast.ts'
import { isKeywordImport } from '../syntax/imports.ts'

/** Global names of a module: rules of its package, and imports, which take precedence. */
export type Globals = ReadonlyMap<string, Ref>

function importName(each: Import): string {
  if (each.alias !== undefined) return each.alias
  const last = each.path.path.at(-1) as Scalar | undefined
  return last === undefined ? (each.path.head as Var).name : String(last.value)
}

export const packageKey = (module: Module): string =>
  JSON.stringify(module.package.path.path.map((part) => (part as Scalar).value))

/** The names of all rules by package, which modules of a package share. */
export function ruleNames(modules: readonly Module[]): Map<string, Map<string, Ref>> {
  const packages = new Map<string, Map<string, Ref>>()
  for (const module of modules) {
    const key = packageKey(module)
    const names = packages.get(key) ?? new Map<string, Ref>()
    packages.set(key, names)
    for (const rule of module.rules) {
      const head = rule.head.ref.head as Var
      if (names.has(head.name)) continue
      const { path } = module.package
      const last: Scalar = { kind: 'scalar', value: head.name, span: head.span }
      names.set(head.name, { ...path, path: [...path.path, last], span: head.span })
    }
  }
  return packages
}

/** @throws RegoError for an import that shadows another, or a root document */
export function globalsOf(module: Module, names: ReadonlyMap<string, Ref>): Globals {
  const globals = new Map(names)
  const seen = new Set<string>()
  for (const each of module.imports) {
    const { location } = each.span
    const name = importName(each)
    if (seen.has(name)) {
      const message = `import must not shadow ${each.span.text}`
      throw new RegoError('rego_compile_error', message, { location })
    }
    seen.add(name)
    if (isKeywordImport(each.path)) continue
    if ((name === 'data' || name === 'input') && each.path.path.length > 0) {
      const message = `imports must not shadow ${name} (use a different name)`
      throw new RegoError('rego_compile_error', message, { location })
    }
    globals.set(name, each.path)
  }
  return globals
}

/** The errors of imports that no rule used. */
export const unusedImports = (
  { imports }: Module,
  used: ReadonlySet<string>,
): readonly RegoError[] =>
  imports
    .filter((each) => !isKeywordImport(each.path) && !used.has(importName(each)))
    .map(({ span }) => {
      const { location } = span
      return new RegoError('rego_compile_error', `${span.text} unused`, { location })
    })
