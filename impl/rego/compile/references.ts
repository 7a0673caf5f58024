import type { Body, Ref, Term, Var } from '../syntax/ast.ts'
import { isComposite, type Scalar } from '../values/value.ts'
import { type DocNode, type DocTree, descendants } from './documents.ts'
import type { ResolvedRule } from './resolved.ts'
import { walkBody, walkTerm } from './visit.ts'

/** What one rule reads, directly. */
export type Reads = {
  /** The nodes whose rules a reference may reach. */
  readonly nodes: ReadonlySet<DocNode>
  readonly input: boolean
  /** The constant starts of its references to `data`. */
  readonly data: readonly (readonly Scalar[])[]
  /** The names of the built-ins it calls. */
  readonly calls: ReadonlySet<string>
}

/** The constant start of a path. */
export const constantPath = (path: readonly Term[]): Scalar[] => {
  const constant: Scalar[] = []
  for (const part of path) {
    if (part.kind !== 'scalar' || isComposite(part.value)) break
    constant.push(part.value as Scalar)
  }
  return constant
}

/** All nodes that a reference below `data` may reach, as OPA sees it: also by unknown keys. */
export const reachable = (tree: DocTree, path: readonly Term[]): Set<DocNode> => {
  const found = new Set<DocNode>()
  const walk = (node: DocNode, i: number): void => {
    if (i >= path.length) {
      descendants(node, (each) => {
        if (each.kind !== undefined) found.add(each)
      })
      return
    }
    const part = path[i] as Term
    if (part.kind === 'scalar' && !isComposite(part.value)) {
      const child = node.children.get(part.value as Scalar)
      if (child === undefined) return
      if (child.kind !== undefined) found.add(child)
      walk(child, i + 1)
      return
    }
    for (const child of node.children.values()) {
      if (child.kind !== undefined) found.add(child)
      walk(child, i + 1)
    }
  }
  walk(tree.root, 0)
  return found
}

export const isDataRef = (term: Term): term is Ref & { readonly head: Var } =>
  term.kind === 'ref' && term.head.kind === 'var' && term.head.name === 'data'

/** What the terms and bodies of a rule or query read. */
export const readsOf = (tree: DocTree, terms: readonly Term[], bodies: readonly Body[]): Reads => {
  const nodes = new Set<DocNode>()
  const calls = new Set<string>()
  const data: Scalar[][] = []
  let input = false
  const reference = (ref: Ref): void => {
    data.push(constantPath(ref.path))
    for (const node of reachable(tree, ref.path)) nodes.add(node)
  }
  const visit = (term: Term): boolean => {
    if (isDataRef(term)) reference(term)
    if (term.kind === 'var' && term.name === 'input') input = true
    if (term.kind === 'call') {
      if (isDataRef(term.operator)) reference(term.operator)
      else if (term.operator.kind === 'var') calls.add(term.operator.name)
    }
    return true
  }
  for (const term of terms) walkTerm(term, visit)
  for (const body of bodies) walkBody(body, visit)
  return { nodes, input, data, calls }
}

export const ruleReads = (tree: DocTree, rule: ResolvedRule): Reads => {
  const terms = [...rule.rest]
  for (const { member, value } of rule.branches) {
    if (member !== undefined) terms.push(member)
    if (value !== undefined) terms.push(value)
  }
  return readsOf(
    tree,
    terms,
    rule.branches.map((branch) => branch.body),
  )
}
