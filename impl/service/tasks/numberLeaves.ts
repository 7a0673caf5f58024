/**
 * JSON that preserves numbers as written. `JSON.parse` would round 2^53 + 1 and write a long
 * integer as 1e21; operators sign bytes, so no digit may change unless settling changes it.
 */
export type Tree = NumberLeaf | string | boolean | null | Tree[] | Map<string, Tree>

export class NumberLeaf {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const deepest = 128

/** @throws SyntaxError for text that is not JSON, RangeError for more than 128 levels. */
export function parseTree(text: string): Tree {
  JSON.parse(text)
  // Strings get the prefix `s`; numbers become strings with the prefix `n`. This keeps them apart.
  const marked = text.replace(token, (part) =>
    part.startsWith('"') ? `"s${part.slice(1)}` : `"n${part}"`,
  )
  return fromMarked(JSON.parse(marked), 0)
}

function fromMarked(value: unknown, depth: number): Tree {
  if (depth > deepest) throw new RangeError(`nested deeper than ${deepest} levels`)
  if (typeof value === 'string') {
    return value.startsWith('n') ? new NumberLeaf(value.slice(1)) : value.slice(1)
  }
  if (value === null || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map((item) => fromMarked(item, depth + 1))
  return new Map(
    Object.entries(value as object).map(([key, item]) => [
      key.slice(1),
      fromMarked(item, depth + 1),
    ]),
  )
}

export function formatTree(tree: Tree): string {
  if (tree instanceof NumberLeaf) return tree.text
  if (Array.isArray(tree)) return `[${tree.map(formatTree).join(',')}]`
  if (tree instanceof Map) {
    const members = [...tree].map(([key, item]) => `${JSON.stringify(key)}:${formatTree(item)}`)
    return `{${members.join(',')}}`
  }
  return JSON.stringify(tree)
}

/** The tree without its numbers: equal for two trees if all other leaves are equal. */
export function shapeOf(tree: Tree): string {
  if (tree instanceof NumberLeaf) return '#'
  if (Array.isArray(tree)) return `[${tree.map(shapeOf).join(',')}]`
  if (tree instanceof Map) {
    const members = [...tree].sort(byKey)
    return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${shapeOf(item)}`).join(',')}}`
  }
  return JSON.stringify(tree)
}

/** Number leaves in an order that is the same for trees of equal shape. */
export function numbersOf(tree: Tree): NumberLeaf[] {
  if (tree instanceof NumberLeaf) return [tree]
  if (Array.isArray(tree)) return tree.flatMap(numbersOf)
  if (tree instanceof Map) return [...tree].sort(byKey).flatMap(([, item]) => numbersOf(item))
  return []
}

/** A copy of the tree with number leaves replaced; the order of members stays. */
export function withNumbers(tree: Tree, by: ReadonlyMap<NumberLeaf, NumberLeaf>): Tree {
  if (tree instanceof NumberLeaf) return by.get(tree) ?? tree
  if (Array.isArray(tree)) return tree.map((item) => withNumbers(item, by))
  if (tree instanceof Map) {
    return new Map([...tree].map(([key, item]) => [key, withNumbers(item, by)]))
  }
  return tree
}

const byKey = ([a]: [string, Tree], [b]: [string, Tree]) => (a < b ? -1 : a > b ? 1 : 0)
