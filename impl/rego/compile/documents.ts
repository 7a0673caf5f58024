import type { Scalar } from '../values/value.ts'
import { kindOf, type ResolvedRule, type RuleKind } from './resolved.ts'

/**
 * A node in the tree of virtual documents below `data`. A node with rules is a document of one
 * kind; one without is an object of its children, merged with the base document at its path.
 */
export class DocNode {
  readonly id: number
  readonly path: readonly Scalar[]
  readonly parent: DocNode | undefined
  readonly children = new Map<Scalar, DocNode>()
  /** Without the default rule. */
  readonly rules: ResolvedRule[] = []
  default: ResolvedRule | undefined
  kind: RuleKind | undefined
  /** Whether a module has this path as its package. */
  isPackage = false

  constructor(id: number, path: readonly Scalar[], parent: DocNode | undefined) {
    this.id = id
    this.path = path
    this.parent = parent
  }
}

/** The virtual documents of a program. */
export class DocTree {
  readonly nodes: DocNode[] = []
  readonly root: DocNode

  constructor() {
    this.root = this.node([], undefined)
  }

  private node(path: readonly Scalar[], parent: DocNode | undefined): DocNode {
    const node = new DocNode(this.nodes.length, path, parent)
    this.nodes.push(node)
    return node
  }

  /** The node of a path, created if missing. */
  grow(path: readonly Scalar[]): DocNode {
    let node = this.root
    path.forEach((key, i) => {
      let child = node.children.get(key)
      if (child === undefined) {
        child = this.node(path.slice(0, i + 1), node)
        node.children.set(key, child)
      }
      node = child
    })
    return node
  }

  add(rule: ResolvedRule): void {
    const node = this.grow(rule.path)
    const kind = kindOf(rule)
    if (rule.isDefault) node.default ??= rule
    else node.rules.push(rule)
    node.kind ??= kind
  }
}

/** The node and its descendants. */
export function descendants(node: DocNode, visit: (node: DocNode) => void): void {
  visit(node)
  for (const child of node.children.values()) descendants(child, visit)
}
