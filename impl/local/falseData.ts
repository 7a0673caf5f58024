import { parseDecimal } from 'polgate-service/tasks/decimal.ts'
import {
  formatTree,
  NumberLeaf,
  numbersOf,
  parseTree,
  type Tree,
  withNumbers,
} from 'polgate-service/tasks/numberLeaves.ts'

/**
 * Other data than an oracle's output, JSON text of an object: its numbers multiplied, or else its
 * booleans negated, or else with another member. Numbers of different liars are at least twice as
 * far from each other, so that they settle on nothing together (decision T8).
 *
 * @param liar 0 for the first operator, and so on
 */
export function falseData(output: string, liar: number): string {
  const tree = treeOf(output)
  const numbers = numbersOf(tree)
  if (numbers.length > 0) {
    const factor = 2n ** BigInt(liar + 1)
    const changed = new Map(numbers.map((leaf) => [leaf, times(leaf, factor)]))
    return formatTree(withNumbers(tree, changed))
  }
  const negated = formatTree(withNegated(tree))
  if (negated !== formatTree(tree)) return negated
  return formatTree(new Map<string, Tree>([...members(tree), ['lie', true]]))
}

function treeOf(output: string): Tree {
  try {
    return parseTree(output)
  } catch {
    return new Map()
  }
}

const members = (tree: Tree): readonly [string, Tree][] => (tree instanceof Map ? [...tree] : [])

/** Zero, which no factor changes, becomes the factor. */
function times({ text }: NumberLeaf, factor: bigint): NumberLeaf {
  const { digits, exponent } = parseDecimal(text)
  if (digits === 0n) return new NumberLeaf(String(factor))
  return new NumberLeaf(plain(digits * factor, exponent))
}

/** Without an exponent where that is short: 2.5 instead of 25e-1. */
function plain(digits: bigint, exponent: bigint): string {
  if (exponent === 0n) return String(digits)
  if (exponent > 0n || exponent < -20n) return `${digits}e${exponent}`
  const places = Number(-exponent)
  const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0')
  return `${digits < 0n ? '-' : ''}${text.slice(0, -places)}.${text.slice(-places)}`
}

function withNegated(tree: Tree): Tree {
  if (typeof tree === 'boolean') return !tree
  if (Array.isArray(tree)) return tree.map(withNegated)
  if (tree instanceof Map) return new Map([...tree].map(([key, item]) => [key, withNegated(item)]))
  return tree
}
