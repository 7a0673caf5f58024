import type { Body, Ref, Term, Var } from '../syntax/ast.ts'
import { isComposite, type Scalar } from '../values/value.ts'
import { type DocNode, type DocTree, descendants } from './documents.ts'
import type { ResolvedRule } from './resolved.ts'
import { walkBody, walkTerm } from './visit.ts'

/** Direct dependencies of a rule. */
export type Reads = {
  /** The nodes whose rules a reference may reach. */
  readonly nodes: ReadonlySet<DocNode>
  readonly input: boolean
  /** The constant prefixes of its references to `data`. */
  readonly data: readonly (readonly Scalar[])[]
  /** The names of the built-ins it calls. */
  readonly calls: ReadonlySet<string>
}

/** The constant prefix of a path. */
export function constantPath(path: readonly Term[]): Scalar[] {
  const constant: Scalar[] = []
  for (const part of path) {
    if (part.kind !== 'scalar' || isComposite(part.value)) break
    constant.push(part.value as Scalar)
  }
  return constant
}

/** All nodes that a reference below `data` may reach, as in OPA, including by unknown keys. */
function reach(node: DocNode, path: readonly Term[], i: number, found: Set<DocNode>): void {
  const part = path[i]
  if (part === undefined) {
    descendants(node, (each) => {
      if (each.kind !== undefined) found.add(each)
    })
    return
  }
  if (part.kind === 'scalar' && !isComposite(part.value)) {
    const child = node.children.get(part.value as Scalar)
    if (child === undefined) return
    if (child.kind !== undefined) found.add(child)
    reach(child, path, i + 1, found)
    return
  }
  for (const child of node.children.values()) {
    if (child.kind !== undefined) found.add(child)
    reach(child, path, i + 1, found)
  }
}

export const isDataRef = (term: Term): term is Ref & { readonly head: Var } =>
  term.kind === 'ref' && term.head.kind === 'var' && term.head.name === 'data'

class Reader {
  readonly nodes = new Set<DocNode>()
  readonly calls = new Set<string>()
  readonly data: Scalar[][] = []
  input = false
  private readonly root: DocNode

  constructor(root: DocNode) {
    this.root = root
  }

  visit(term: Term): true {
    if (term.kind === 'ref') {
      if (isDataRef(term)) this.reference(term)
    } else if (term.kind === 'var') {
      if (term.name === 'input') this.input = true
    } else if (term.kind === 'call') {
      if (isDataRef(term.operator)) this.reference(term.operator)
      else if (term.operator.kind === 'var') this.calls.add(term.operator.name)
    }
    return true
  }

  private reference({ path }: Ref): void {
    this.data.push(constantPath(path))
    reach(this.root, path, 0, this.nodes)
  }
}

/** The dependencies of the terms and bodies of a rule or query. */
export function readsOf(tree: DocTree, terms: readonly Term[], bodies: readonly Body[]): Reads {
  const reader = new Reader(tree.root)
  for (const term of terms) walkTerm(term, (part) => reader.visit(part))
  for (const body of bodies) walkBody(body, (part) => reader.visit(part))
  const { nodes, input, data, calls } = reader
  return { nodes, input, data, calls }
}

export function ruleReads(tree: DocTree, rule: ResolvedRule): Reads {
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
