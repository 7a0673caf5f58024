import { RegoError } from '../errors.ts'
import type { Span } from '../syntax/source.ts'
import { equal } from '../values/compare.ts'
import { RegoObject } from '../values/object.ts'
import { RegoSet } from '../values/set.ts'
import type { ObjectValue, SetValue, Value } from '../values/value.ts'

class SetLeaf {
  readonly set = new RegoSet()
}

type Entry = Value | Tree | SetLeaf

/**
 * The object that rules with ref heads (`p[x].q`, `p[x] contains y`) build together: paths merge,
 * the values at their ends do not.
 */
export class Tree {
  // A map instead of a Rego object, because its entries are not only values while it grows.
  private readonly entries = new RegoObject()
  private plain = true

  private get(key: Value): Entry | undefined {
    return this.entries.get(key) as Entry | undefined
  }

  private put(key: Value, entry: Tree | SetLeaf): void {
    this.plain = false
    this.entries.set(key, entry as unknown as Value)
  }

  child(key: Value, span: Span): Tree {
    const found = this.get(key)
    if (found instanceof Tree) return found
    if (found !== undefined) throw conflict(span)
    const tree = new Tree()
    this.put(key, tree)
    return tree
  }

  insert(key: Value, value: Value, span: Span): void {
    const found = this.get(key)
    if (found === undefined) {
      this.entries.set(key, value)
    } else if (found instanceof Tree || found instanceof SetLeaf || !equal(found, value)) {
      throw conflict(span)
    }
  }

  /** Adds a member to the set at a key. */
  contain(key: Value, member: Value, span: Span): void {
    this.setAt(key, span).add(member)
  }

  /** Adds all members of a set to the set at a key. */
  containAll(key: Value, members: SetValue, span: Span): void {
    const set = this.setAt(key, span)
    members.forEach((member) => {
      set.add(member)
    })
  }

  private setAt(key: Value, span: Span): SetValue {
    const found = this.get(key)
    if (found instanceof SetLeaf) return found.set
    if (found !== undefined) throw conflict(span)
    const leaf = new SetLeaf()
    this.put(key, leaf)
    return leaf.set
  }

  /** Its value; the tree is not changed afterwards. */
  toValue(): ObjectValue {
    if (this.plain) return this.entries
    const object = new RegoObject()
    this.entries.forEach((key, each) => {
      const entry = each as Entry
      const value =
        entry instanceof Tree ? entry.toValue() : entry instanceof SetLeaf ? entry.set : entry
      object.set(key, value)
    })
    return object
  }
}

const conflict = (span: Span): RegoError =>
  new RegoError('eval_conflict_error', 'object keys must be unique', { location: span.location })
