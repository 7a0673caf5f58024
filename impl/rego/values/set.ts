import { canonicalKey } from './canonical.ts'
import { compare, compareStrings } from './compare.ts'
import type { Composite, Scalar, SetValue, Value } from './value.ts'
import { WrittenNumber } from './writtenNumber.ts'

/** Rego sets. Members are found and ordered like the keys of an object. */
export class RegoSet implements SetValue {
  private readonly scalars: Set<Scalar>
  private composites: Map<string, Composite> | undefined
  private sorted: readonly Value[] | undefined
  canonical: string | undefined

  constructor(scalars: Set<Scalar> = new Set()) {
    this.scalars = scalars
  }

  static from(members: Iterable<Value>): RegoSet {
    const set = new RegoSet()
    for (const member of members) set.add(member)
    return set
  }

  get kind(): 'set' {
    return 'set'
  }

  get size(): number {
    return this.scalars.size + (this.composites?.size ?? 0)
  }

  has(member: Value): boolean {
    if (typeof member !== 'object' || member === null) return this.scalars.has(member)
    if (member instanceof WrittenNumber) return this.scalars.has(member.value)
    return this.composites?.has(canonicalKey(member)) ?? false
  }

  add(member: Value): this {
    if (typeof member !== 'object' || member === null) {
      this.scalars.add(member)
    } else if (member instanceof WrittenNumber) {
      this.scalars.add(member.value)
    } else {
      this.composites ??= new Map()
      const text = canonicalKey(member)
      if (!this.composites.has(text)) this.composites.set(text, member)
    }
    this.sorted = undefined
    this.canonical = undefined
    return this
  }

  delete(member: Value): boolean {
    this.sorted = undefined
    this.canonical = undefined
    if (typeof member !== 'object' || member === null) return this.scalars.delete(member)
    if (member instanceof WrittenNumber) return this.scalars.delete(member.value)
    return this.composites?.delete(canonicalKey(member)) ?? false
  }

  values(): readonly Value[] {
    if (this.sorted === undefined) {
      const members: Value[] = [...this.scalars]
      const strings = this.composites === undefined && members.every((m) => typeof m === 'string')
      if (this.composites !== undefined) members.push(...this.composites.values())
      this.sorted = strings
        ? (members as string[]).sort(compareStrings)
        : members.sort((a, b) => compare(a, b))
    }
    return this.sorted
  }

  forEach(visit: (member: Value) => void): void {
    for (const member of this.scalars) visit(member)
    if (this.composites !== undefined) {
      for (const member of this.composites.values()) visit(member)
    }
  }

  every(test: (member: Value) => boolean): boolean {
    for (const member of this.scalars) if (!test(member)) return false
    if (this.composites !== undefined) {
      for (const member of this.composites.values()) if (!test(member)) return false
    }
    return true
  }

  copy(): RegoSet {
    const copy = new RegoSet(new Set(this.scalars))
    if (this.composites !== undefined) copy.composites = new Map(this.composites)
    return copy
  }
}
