import { canonicalKey } from './canonical.ts'
import { compare, compareStrings } from './compare.ts'
import type { Composite, ObjectValue, Scalar, Value } from './value.ts'
import { WrittenNumber } from './writtenNumber.ts'

type Slot = { readonly key: Composite; value: Value }

/**
 * Rego objects. Scalar keys are found by one Map lookup (so `__proto__` is an ordinary key),
 * composite keys by their canonical text. `set` may be called only while building an object; once
 * published it is immutable.
 */
export class RegoObject implements ObjectValue {
  private readonly scalars: Map<Scalar, Value>
  private composites: Map<string, Slot> | undefined
  private sorted: readonly Value[] | undefined
  canonical: string | undefined

  constructor(scalars: Map<Scalar, Value> = new Map()) {
    this.scalars = scalars
  }

  static from(entries: Iterable<readonly [Value, Value]>): RegoObject {
    const object = new RegoObject()
    for (const [key, value] of entries) object.set(key, value)
    return object
  }

  get kind(): 'object' {
    return 'object'
  }

  get size(): number {
    return this.scalars.size + (this.composites?.size ?? 0)
  }

  get(key: Value): Value | undefined {
    if (typeof key !== 'object' || key === null) return this.scalars.get(key)
    if (key instanceof WrittenNumber) return this.scalars.get(key.value)
    return this.composites?.get(canonicalKey(key))?.value
  }

  has(key: Value): boolean {
    if (typeof key !== 'object' || key === null) return this.scalars.has(key)
    if (key instanceof WrittenNumber) return this.scalars.has(key.value)
    return this.composites?.has(canonicalKey(key)) ?? false
  }

  set(key: Value, value: Value): this {
    this.sorted = undefined
    this.canonical = undefined
    if (typeof key !== 'object' || key === null) {
      this.scalars.set(key, value)
      return this
    }
    if (key instanceof WrittenNumber) return this.set(key.value, value)
    this.composites ??= new Map()
    this.composites.set(canonicalKey(key), { key, value })
    return this
  }

  delete(key: Value): boolean {
    this.sorted = undefined
    this.canonical = undefined
    if (typeof key !== 'object' || key === null) return this.scalars.delete(key)
    if (key instanceof WrittenNumber) return this.scalars.delete(key.value)
    return this.composites?.delete(canonicalKey(key)) ?? false
  }

  keys(): readonly Value[] {
    if (this.sorted === undefined) {
      const keys: Value[] = [...this.scalars.keys()]
      const scalarStrings = keys.every((key) => typeof key === 'string')
      if (this.composites !== undefined) for (const s of this.composites.values()) keys.push(s.key)
      this.sorted =
        scalarStrings && keys.length === this.scalars.size
          ? (keys as string[]).sort(compareStrings)
          : keys.sort((a, b) => compare(a, b))
    }
    return this.sorted
  }

  values(): Value[] {
    return this.keys().map((key) => this.get(key) as Value)
  }

  entries(): [Value, Value][] {
    return this.keys().map((key) => [key, this.get(key) as Value])
  }

  forEach(visit: (key: Value, value: Value) => void): void {
    for (const [key, value] of this.scalars) visit(key, value)
    if (this.composites !== undefined) {
      for (const slot of this.composites.values()) visit(slot.key, slot.value)
    }
  }

  every(test: (key: Value, value: Value) => boolean): boolean {
    for (const [key, value] of this.scalars) if (!test(key, value)) return false
    if (this.composites !== undefined) {
      for (const slot of this.composites.values()) if (!test(slot.key, slot.value)) return false
    }
    return true
  }

  copy(): RegoObject {
    const copy = new RegoObject(new Map(this.scalars))
    if (this.composites !== undefined) {
      copy.composites = new Map()
      for (const [text, slot] of this.composites) copy.composites.set(text, { ...slot })
    }
    return copy
  }
}
