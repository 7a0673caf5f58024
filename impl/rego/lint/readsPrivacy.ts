import { constantPath } from '../compile/references.ts'
import type { Term } from '../syntax/ast.ts'

/** `data.privacy`, or a reference that may reach it: all of `data`, or one of its members. */
export function readsPrivacy(term: Term): boolean {
  if (term.kind !== 'ref' || term.head.kind !== 'var' || term.head.name !== 'data') return false
  const [first] = constantPath(term.path)
  return first === undefined || first === 'privacy'
}
