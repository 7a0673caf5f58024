import type { DocNode } from '../compile/documents.ts'
import { compare } from '../values/compare.ts'
import { RegoObject } from '../values/object.ts'
import { isArray, isComposite, isObject, isSet, type Scalar, type Value } from '../values/value.ts'
import { bare } from '../values/writtenNumber.ts'
import type { Context } from './context.ts'
import { lookup } from './lookup.ts'

/** A node in the tree of virtual documents, with the base document at its path. */
export class Place {
  readonly node: DocNode
  readonly base: Value | undefined

  constructor(node: DocNode, base: Value | undefined) {
    this.node = node
    this.base = base
  }
}

export type Doc = Place | Value

export function baseAt(data: Value, path: readonly Scalar[]): Value | undefined {
  let value: Value | undefined = data
  for (const key of path) {
    if (value === undefined) return undefined
    value = lookup(value, key)
  }
  return value
}

export const enter = (c: Context, node: DocNode): Place =>
  new Place(node, baseAt(c.data, node.path))

/**
 * The value under a key: the member of a value, or for a node the value of its rules or the child
 * node.
 */
export function childOf(c: Context, doc: Doc, key: Value): Doc | undefined {
  if (!(doc instanceof Place)) return lookup(doc, key, c)
  const child = isComposite(key) ? undefined : doc.node.children.get(bare(key))
  const base = doc.base === undefined ? undefined : lookup(doc.base, key, c)
  if (child === undefined || c.hidden?.has(child)) return base
  if (child.kind === 'function') return base
  if (child.kind !== undefined) return c.rules.value(c, child)
  return new Place(child, base)
}

/** The keys of a document, in Rego's order. */
export function keysOf(doc: Doc): readonly Value[] {
  if (!(doc instanceof Place)) return valueKeys(doc)
  const keys = doc.base === undefined || isSetValue(doc.base) ? [] : [...valueKeys(doc.base)]
  const known = new Set(keys)
  for (const [key, child] of doc.node.children) {
    if (child.kind !== 'function' && !known.has(key)) keys.push(key)
  }
  return keys.sort((a, b) => compare(a, b))
}

const isSetValue = (value: Value): boolean => isSet(value)

function valueKeys(value: Value): readonly Value[] {
  if (!isComposite(value)) return []
  if (isArray(value)) return value.map((_, i) => i)
  return isObject(value) ? value.keys() : value.values()
}

export const force = (c: Context, doc: Doc): Value =>
  doc instanceof Place ? extent(c, doc.node, doc.base) : doc

/** The object of all descendants of a node, merged over its base document. */
export function extent(c: Context, node: DocNode, base: Value | undefined): Value {
  const start = base !== undefined && isObject(base) ? base : undefined
  const object = start === undefined ? new RegoObject() : start.copy()
  for (const [key, child] of node.children) {
    if (child.kind === 'function' || c.hidden?.has(child)) continue
    const below = start?.get(key)
    const value = child.kind === undefined ? extent(c, child, below) : c.rules.value(c, child)
    if (value !== undefined) object.set(key, value)
  }
  c.run.allocate(32 * object.size)
  return object
}
