import type { DocNode, DocTree } from '../compile/documents.ts'
import { isClosure, isRootVar } from '../compile/visit.ts'
import type { Call, Ref, Term } from '../syntax/ast.ts'
import type { Scalar } from '../values/value.ts'

/**
 * The reference or call because of which a term may be undefined, or undefined if the term always has a
 * value. A call of a built-in counts as defined where its arguments are: the service ends an evaluation
 * whose built-in fails.
 */
export function mayBeUndefined(tree: DocTree, term: Term): Term | undefined {
  const first = (terms: readonly Term[]): Term | undefined => {
    for (const each of terms) {
      const found = mayBeUndefined(tree, each)
      if (found !== undefined) return found
    }
    return undefined
  }
  switch (term.kind) {
    case 'array':
    case 'set':
      return first(term.items)
    case 'object':
      return first(term.entries.flat())
    case 'call':
      return isOptionalCall(tree, term) ? term : first(term.args)
    case 'ref':
      return isDefinedRef(tree, term) ? first(term.path) : term
    default:
      return undefined
  }
}

/** Whether a call is of a function of the policy that has no default. */
function isOptionalCall(tree: DocTree, { operator }: Call): boolean {
  if (operator.kind === 'var') return false
  const found = nodeOf(tree, operator)
  return found?.kind === 'function' && found.default === undefined
}

function isDefinedRef(tree: DocTree, ref: Ref): boolean {
  if (ref.head.kind !== 'var') return ref.path.length === 0 || isClosure(ref.head)
  // The service always has an input.
  if (!isRootVar(ref.head) || ref.head.name === 'input') return ref.path.length === 0
  const node = nodeOf(tree, ref)
  return node !== undefined && isDefinedNode(tree, node)
}

function isDefinedNode(tree: DocTree, { kind, rules, default: standard }: DocNode): boolean {
  if (kind === undefined || kind === 'set' || kind === 'object') return true
  if (kind === 'function') return false
  if (standard !== undefined) return true
  return rules.some(({ branches }) =>
    branches.some(
      ({ body, value }) =>
        body.length === 0 && value !== undefined && mayBeUndefined(tree, value) === undefined,
    ),
  )
}

/** The document of a reference below `data`, if it names one exactly. */
export function nodeOf(tree: DocTree, { head, path }: Ref): DocNode | undefined {
  if (head.kind !== 'var' || head.name !== 'data') return undefined
  let node: DocNode | undefined = tree.root
  for (const part of path) {
    if (part.kind !== 'scalar') return undefined
    node = node?.children.get(part.value as Scalar)
  }
  return node
}
