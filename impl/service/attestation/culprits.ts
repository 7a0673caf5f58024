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

/** What one signer adds to the sums: its signature and its key, both taken as often as it counts. */
export type Share = {
  readonly signature: Point1
  readonly key: Point2
}

export type Search = {
  /** Positions of the shares that are wrong, ascending. */
  readonly culprits: readonly number[]
  /** Of all shares, culprits included. */
  readonly sum: Share
  /** How many pairing checks it took. */
  readonly checks: number
}

/** A sum with the sums that it was made of: the halves cost nothing when the whole does not hold. */
interface Node extends Share {
  readonly from: number
  readonly halves?: readonly [Node, Node]
}

/**
 * Finds the shares whose signature is none of their key over the message, by halving.
 *
 * One check says whether the sum of all holds: with good signatures that is all it takes. Where a
 * sum does not hold its left half is checked; what is left of the right one is the quotient of the
 * two, which costs no pairing (the quotient method of Law and Matt). So there is one check for the
 * whole and one for every sum of two or more that does not hold: with k culprits among n at most
 * 1 + k (⌈log₂(n/k)⌉ + 1), and never more than n.
 *
 * Wrong signatures whose errors cancel within a sum that holds are not found, and need not be: that
 * sum is a signature of their keys together over the message, which nobody makes without all of the
 * keys, as each has proved possession when it was registered. It verifies on chain like any other.
 * A right signature is never a culprit: its residue is one in every sum.
 *
 * Yields before each check but the first, so that a caller can do other work between them.
 */
export function* findCulprits(
  message: Point1,
  shares: readonly Share[],
): Generator<undefined, Search> {
  if (shares.length === 0) {
    return { culprits: [], checks: 0, sum: { signature: identity1(), key: identity2() } }
  }
  let checks = 0
  const check = ({ signature, key }: Share): Residue => {
    checks += 1
    return residueOf(signature, message, key)
  }
  const culprits: number[] = []
  function* search(node: Node, residue: Residue): Generator<undefined, void> {
    if (residue.isOne()) return
    if (node.halves === undefined) {
      culprits.push(node.from)
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
  return { culprits, checks, sum: whole }
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
