import { ANY, STRING, type Type } from '../builtins/types.ts'
import { kindOf, type ResolvedRule } from '../compile/resolved.ts'
import type { Term } from '../syntax/ast.ts'
import type { Scalar } from '../values/value.ts'
import { join, objectType, typeOfConstant } from './lattice.ts'

type Node = {
  readonly children: Map<Scalar, Node>
  readonly rules: ResolvedRule[]
  /** Set during and after inference. */
  type: Type | undefined
}

/** The target of a reference below `data`. */
export type Found =
  /** A rule, or the object of those below a path; `rest` is the number of path parts inside the rule. */
  | { readonly kind: 'rule'; readonly type: Type; readonly rest: number }
  /** Base data, or a document known only at run time. */
  | { readonly kind: 'open' }

/** The types of all rules, inferred on demand, so that dependencies come first. */
export class Documents {
  private readonly root: Node = { children: new Map(), rules: [], type: undefined }
  private readonly infer: (rules: readonly ResolvedRule[]) => Type

  /** `infer` returns the type of the rules of one path; it may request the types of others. */
  constructor(rules: readonly ResolvedRule[], infer: (rules: readonly ResolvedRule[]) => Type) {
    this.infer = infer
    for (const rule of rules) {
      let node = this.root
      for (const part of rule.path) {
        let child = node.children.get(part)
        if (child === undefined) {
          child = { children: new Map(), rules: [], type: undefined }
          node.children.set(part, child)
        }
        node = child
      }
      node.rules.push(rule)
    }
  }

  /** Follows the constant parts of a path from `data`. */
  find(path: readonly Term[]): Found {
    let node = this.root
    for (let i = 0; i < path.length; i++) {
      const part = path[i] as Term
      if (part.kind !== 'scalar') return { kind: 'open' }
      const child = node.children.get(part.value as Scalar)
      if (child === undefined) return { kind: 'open' }
      node = child
      if (node.rules.length === 0) continue
      // Rules below a rule: which of them defines a member is not distinguished.
      if (node.children.size > 0) return { kind: 'open' }
      return { kind: 'rule', type: this.typeOf(node), rest: path.length - i - 1 }
    }
    // A query may name all of data.
    return path.length === 0 ? { kind: 'open' } : { kind: 'rule', type: this.below(node), rest: 0 }
  }

  /** The object of a package, or `p` of `p.a := 1`. Base data may add members, whose names are strings. */
  private below(node: Node): Type {
    if (node.rules.length > 0) return node.children.size > 0 ? ANY : this.typeOf(node)
    const members = [...node.children].flatMap(([key, child]) => {
      const value = this.below(child)
      return value.kind === 'function' ? [] : [{ key, value }]
    })
    return objectType(members, { key: STRING, value: ANY })
  }

  /** The function at a path, if any. */
  functionAt(path: readonly Term[]): Extract<Type, { kind: 'function' }> | undefined {
    const found = this.find(path)
    if (found.kind !== 'rule' || found.rest > 0) return undefined
    return found.type.kind === 'function' ? found.type : undefined
  }

  /** Infers the types of all rules. */
  all(): void {
    const visit = (node: Node): void => {
      if (node.rules.length > 0) this.typeOf(node)
      for (const child of node.children.values()) visit(child)
    }
    visit(this.root)
  }

  private typeOf(node: Node): Type {
    if (node.type === undefined) {
      // Recursion is reported elsewhere; here it only has to terminate.
      node.type = provisional(node.rules)
      node.type = this.infer(node.rules)
    }
    return node.type
  }
}

function provisional(rules: readonly ResolvedRule[]): Type {
  const args = rules[0]?.args
  if (args === undefined) return ANY
  return { kind: 'function', args: args.map(() => ANY), result: ANY }
}

/** The contribution of one rule body to its document. */
export type Contribution = {
  readonly args: readonly Type[]
  /** Types of the variable parts of the head's path. */
  readonly keys: readonly Type[]
  /** The value, or the member of a partial set. */
  readonly result: Type
}

/** The type of a rule's document from its bodies; any if they are unknown. */
export function documentType(rule: ResolvedRule, parts: readonly Contribution[]): Type {
  const result = join(parts.map((part) => part.result))
  switch (kindOf(rule)) {
    case 'function': {
      const args = (rule.args ?? []).map((_, i) => join(parts.map((part) => part.args[i] ?? ANY)))
      return { kind: 'function', args, result }
    }
    case 'set':
      return { kind: 'set', of: result }
    default: {
      const leaf: Type = rule.rule.head.member === undefined ? result : { kind: 'set', of: result }
      return rule.rest.reduceRight<Type>((value, part, i) => {
        if (part.kind === 'scalar') return { kind: 'object', static: [{ key: part.value, value }] }
        const key = join(parts.map((each) => each.keys[i] ?? ANY))
        return { kind: 'object', static: [], dynamic: { key, value } }
      }, leaf)
    }
  }
}

/**
 * Combines several rules of one path: functions argument by argument, partial objects as one,
 * others as unions.
 */
export function mergeDocuments(rule: ResolvedRule, types: readonly Type[]): Type {
  const functions = types.filter((type) => type.kind === 'function')
  const [first] = functions
  if (first !== undefined) {
    return {
      kind: 'function',
      args: first.args.map((_, i) => join(functions.map((f) => f.args[i] ?? ANY))),
      result: join(functions.map((f) => f.result)),
    }
  }
  const objects = types.filter((type) => type.kind === 'object')
  if (objects.length > 1 && objects.length === types.length && kindOf(rule) === 'object') {
    const keys: Type[] = []
    const values: Type[] = []
    for (const object of objects) {
      for (const { key, value } of object.static) {
        keys.push(typeOfConstant(key))
        values.push(value)
      }
      if (object.dynamic === undefined) continue
      keys.push(object.dynamic.key)
      values.push(object.dynamic.value)
    }
    return { kind: 'object', static: [], dynamic: { key: join(keys), value: join(values) } }
  }
  return join(types)
}
