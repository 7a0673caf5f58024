import {
  add1,
  add2,
  identity1,
  identity2,
  type Point1,
  type Point2,
  quotient,
  type Residue,
  residueOf,
} from './curve.ts'

/**
 * The contribution of one signer to the sums: its signature and key, each multiplied by its weight.
 */
export type Share = {
  readonly signature: Point1
  readonly key: Point2
}

export type Search = {
  /** Indexes of the shares that are invalid, ascending. */
  readonly invalidSignatures: readonly number[]
  /** Sum of all shares, including invalid ones. */
  readonly sum: Share
  /** Number of pairing checks. */
  readonly checks: number
}

/** A sum with its parts, so that bisection needs no further additions. */
interface Node extends Share {
  readonly from: number
  readonly halves?: readonly [Node, Node]
}

/**
 * Finds the shares whose signature does not verify against their key over the message, by
 * bisection.
 *
 * One check verifies the sum of all, which is enough if all signatures are valid. If a sum is
 * invalid, its left half is checked; the residue of the right half is the quotient of the two,
 * which needs no pairing (the quotient method of Law and Matt). So there is one check for the whole
 * and one for every invalid sum of two or more: with k invalid signatures among n at most 1 + k
 * (⌈log₂(n/k)⌉ + 1), and never more than n.
 *
 * Invalid signatures whose errors cancel within a valid sum are not found, and need not be: that
 * sum is a signature of their keys together over the message, which requires all of the keys, since
 * each has proved possession on registration. It verifies on chain like any other. A valid
 * signature is never reported: its residue is one in every sum.
 *
 * Yields before each check but the first, so that a caller can interleave other work.
 */
export function* findInvalidSignatures(
  message: Point1,
  shares: readonly Share[],
): Generator<undefined, Search> {
  if (shares.length === 0) {
    return { invalidSignatures: [], checks: 0, sum: { signature: identity1(), key: identity2() } }
  }
  let checks = 0
  const check = ({ signature, key }: Share): Residue => {
    checks += 1
    return residueOf(signature, message, key)
  }
  const invalidSignatures: number[] = []
  function* search(node: Node, residue: Residue): Generator<undefined, void> {
    if (residue.isOne()) return
    if (node.halves === undefined) {
      invalidSignatures.push(node.from)
      return
    }
    const [left, right] = node.halves
    yield
    const leftResidue = check(left)
    yield* search(left, leftResidue)
    yield* search(right, quotient(residue, leftResidue))
  }
  const whole = sumUp(shares, 0, shares.length)
  yield* search(whole, check(whole))
  return { invalidSignatures, checks, sum: whole }
}

function sumUp(shares: readonly Share[], from: number, to: number): Node {
  const only = shares[from]
  if (to - from === 1 && only !== undefined) return { ...only, from }
  const middle = (from + to) >> 1
  const left = sumUp(shares, from, middle)
  const right = sumUp(shares, middle, to)
  return {
    from,
    signature: add1(left.signature, right.signature),
    key: add2(left.key, right.key),
    halves: [left, right],
  }
}
