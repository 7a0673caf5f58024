import { walkLiteral } from '../compile/visit.ts'
import type { Location } from '../errors.ts'
import type { Body, Literal, Module, Rule, Term } from '../syntax/ast.ts'

/** A rule that is a test. */
export type TestRule = {
  /** `data.cap_test` */
  readonly package: string
  /** `test_clean` */
  readonly name: string
  readonly location: Location
  /** Named `todo_test_...`: reported as skipped. */
  readonly todo: boolean
  /** Source of a module that computes the names of all cases of a parameterized test. */
  readonly cases: CaseModule | undefined
}

export type CaseModule = { readonly rule: string; readonly source: string }

/** The tests of modules: rules whose names start with `test_` or `todo_test_`, in text order. */
export function discoverTests(modules: readonly Module[]): readonly TestRule[] {
  const tests = new Map<string, TestRule>()
  for (const module of modules) {
    const pkg = module.package.path.span.text
    for (const rule of module.rules) {
      const { head } = rule
      if (head.args !== undefined || rule.isDefault || head.ref.head.kind !== 'var') continue
      const { name } = head.ref.head
      const todo = name.startsWith('todo_test_')
      if (!todo && !name.startsWith('test_')) continue
      const key = `${pkg}.${name}`
      // Several rules of one name are one document and therefore one test.
      if (tests.has(key)) continue
      tests.set(key, {
        package: `data.${pkg}`,
        name,
        location: rule.span.location,
        todo,
        cases: todo ? undefined : caseModule(module, rule),
      })
    }
  }
  return [...tests.values()]
}

/**
 * `test_x[name] if { some name, c in cases; ... }` holds for the names of passing cases. The names
 * of all cases are computed from the part of the body that binds them.
 */
function caseModule(module: Module, { head, body }: Rule): CaseModule | undefined {
  const names = head.ref.path
  if (names.length === 0 || names.some((name) => name.kind !== 'var')) return undefined
  const binding = bindingPrefix(names, body)
  if (binding === undefined) return undefined
  const rule = `${(head.ref.head as { readonly name: string }).name}__cases`
  const imports = module.imports.map(({ span }) => span.text)
  const list = names.map((name) => name.span.text).join(', ')
  const literals = binding.map(({ span }) => `\t${span.text}`)
  const lines = [
    module.package.span.text,
    ...imports,
    `${rule} contains [${list}] if {`,
    ...literals,
    '}',
  ]
  return { rule, source: `${lines.join('\n')}\n` }
}

/**
 * The literals up to those that bind all variables, without modifiers that a prefix cannot have.
 */
function bindingPrefix(names: readonly Term[], body: Body): readonly Literal[] | undefined {
  const open = new Set(names.map((name) => (name.kind === 'var' ? name.name : '')))
  for (const [i, literal] of body.entries()) {
    // `some x` only declares; its binding follows.
    if (literal.kind !== 'some') {
      walkLiteral(literal, (term) => {
        if (term.kind === 'var') open.delete(term.name)
        return true
      })
    }
    if (open.size === 0) return body.slice(0, i + 1)
  }
  return undefined
}
