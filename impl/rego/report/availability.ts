import { walkLiteral, walkTerm } from '../compile/visit.ts'
import type { Location } from '../errors.ts'
import type { Module, Term } from '../syntax/ast.ts'

/** A call of a built-in that another profile lacks. */
export type Missing = { readonly name: string; readonly location: Location }

/**
 * The calls of built-ins that are `known` but not `available`: a policy that passes its tests with
 * one profile may not compile with another.
 */
export function missingBuiltins(
  modules: readonly Module[],
  known: { has(name: string): boolean },
  available: { has(name: string): boolean },
): readonly Missing[] {
  const missing: Missing[] = []
  const visit = (term: Term): boolean => {
    if (term.kind === 'call') {
      const name = builtinName(term.operator)
      if (name !== undefined && known.has(name) && !available.has(name)) {
        missing.push({ name, location: term.span.location })
      }
    }
    return true
  }
  for (const { rules } of modules) {
    for (const { head, body, elses } of rules) {
      for (const term of [...head.ref.path, ...(head.args ?? []), head.member, head.value]) {
        if (term !== undefined) walkTerm(term, visit)
      }
      for (const literal of body) walkLiteral(literal, visit)
      for (const branch of elses) {
        walkTerm(branch.value, visit)
        for (const literal of branch.body) walkLiteral(literal, visit)
      }
    }
  }
  return missing
}

/** `json.patch` as written; undefined if it is not a plain name. */
function builtinName(operator: Term): string | undefined {
  if (operator.kind === 'var') return operator.name
  if (operator.kind !== 'ref' || operator.head.kind !== 'var') return undefined
  const parts = operator.path.map((part) => (part.kind === 'scalar' ? part.value : undefined))
  if (!parts.every((part) => typeof part === 'string')) return undefined
  return [operator.head.name, ...parts].join('.')
}
