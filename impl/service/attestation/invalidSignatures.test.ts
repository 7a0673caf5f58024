import fc from 'fast-check'
import { keccak256, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { aggregateSignatures } from './aggregate.ts'
import { blsKey, verifySignature } from './bls.ts'
import { add1, fromPoint1, multiply1, scalarOf, subtract1, toPoint1 } from './curve.ts'
import { hashToCurve } from './hashToCurve.ts'
import { operatorsOf } from './testing/operatorSet.ts'
import type { G1Point, OperatorSignature } from './types.ts'

const digest = keccak256(toHex('response'))
const other = keccak256(toHex('another response'))
const most = 256
/** Every third operator is in a second quorum as well, so its key counts twice. */
const stakes = Array.from({ length: most }, (_, at) => [1n, at % 3 === 0 ? 1n : undefined])
const { keys, setOf } = operatorsOf('culprits', stakes)
const good = keys.map((key) => ({ operatorId: key.operatorId, signature: key.sign(digest) }))
const bad = keys.map((key) => ({ operatorId: key.operatorId, signature: key.sign(other) }))

/** Only the first `count` operators are registered. */
const smaller = (count: number) => operatorsOf('culprits', stakes.slice(0, count)).setOf([0])
const aggregate = (signatures: readonly OperatorSignature[], count = signatures.length) =>
  aggregateSignatures({
    digest,
    operatorSet: smaller(count),
    thresholdPercentage: 0,
    signatures,
  })

const idsOf = (places: readonly number[]) => places.map((at) => keys[at]!.operatorId)
/** Maximum number of checks to find k among n, including the whole sum. */
const bound = (k: number, n: number) =>
  k === 0 ? 1 : Math.min(n, 1 + k * (Math.ceil(Math.log2(n / k)) + 1))

describe.each([4, 16, 64, 256])('invalid signatures among %i', (n) => {
  it.each([0, 1, 2, n / 4, n / 2, n])(
    '%i of them: exactly these are found with few checks',
    (k) => {
      // Evenly spread, which is the worst case for bisection.
      const invalidSignatures = Array.from({ length: k }, (_, at) => Math.floor((at * n) / k))
      const signatures = good
        .slice(0, n)
        .map((each, at) => (invalidSignatures.includes(at) ? bad[at]! : each))
      const result = aggregate(signatures)
      expect(result.rejected).toEqual(
        idsOf(invalidSignatures).map((operatorId) => ({ operatorId, reason: 'wrong-signature' })),
      )
      expect(result.signers).toEqual(
        idsOf(Array.from({ length: n }, (_, at) => at)).filter(
          (id) => !idsOf(invalidSignatures).includes(id),
        ),
      )
      expect(result.checks).toBeLessThanOrEqual(bound(k, n))
      if (k === 1) expect(result.checks).toBe(1 + Math.log2(n))
      expect(result.reached).toBe(k < n)
      if (!result.reached) return
      expect(verifySignature(digest, result.evidence.sigma, result.evidence.apkG2)).toBe(true)
    },
  )
})

function shift({ operatorId, signature }: OperatorSignature, by: G1Point, away = false) {
  const [a, b] = [toPoint1(signature), toPoint1(by)]
  return { operatorId, signature: fromPoint1(away ? subtract1(a, b) : add1(a, b)) }
}

describe('any combination of invalid signatures', () => {
  const set = setOf([0, 1])
  const count = 12
  /**
   * The behaviour of one operator; a number n adds n times the generator to its valid signature.
   */
  const act = fc.oneof(
    { weight: 4, arbitrary: fc.constant('right' as const) },
    fc.constantFrom(
      'other digest',
      "neighbour's",
      'random',
      'off curve',
      'infinity',
      'too large',
      'silent',
    ),
    fc.integer({ min: -3, max: 3 }).filter((error) => error !== 0),
  )
  const multiple = (times: number): G1Point => {
    const bytes = new Uint8Array(32)
    bytes[31] = Math.abs(times)
    return fromPoint1(multiply1(toPoint1({ X: 1n, Y: 2n }), scalarOf(bytes)))
  }
  function sent(what: unknown, at: number): OperatorSignature[] {
    const own = good[at]!
    const { operatorId } = own
    if (typeof what === 'number') return [shift(own, multiple(what), what < 0)]
    switch (what) {
      case 'right':
        return [own]
      case 'other digest':
        return [bad[at]!]
      case "neighbour's":
        return [{ operatorId, signature: good[(at + 1) % count]!.signature }]
      case 'random':
        return [{ operatorId, signature: hashToCurve(keccak256(toHex(`random ${at}`))) }]
      case 'off curve':
        return [{ operatorId, signature: { X: 1n, Y: 1n } }]
      case 'infinity':
        return [{ operatorId, signature: { X: 0n, Y: 0n } }]
      case 'too large': {
        const { X, Y } = own.signature
        const modulus = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n
        return [{ operatorId, signature: { X: X + modulus, Y } }]
      }
      default:
        return []
    }
  }

  it('rejects no valid signature, and the rest is a signature of all counted operators', () => {
    fc.assert(
      fc.property(fc.array(act, { minLength: count, maxLength: count }), (acts) => {
        const signatures = acts.flatMap(sent)
        const result = aggregateSignatures({
          digest,
          operatorSet: set,
          thresholdPercentage: 0,
          signatures,
        })
        const right = idsOf(acts.flatMap((what, at) => (what === 'right' ? [at] : [])))
        const rejected = result.rejected.map(({ operatorId }) => operatorId)
        expect(rejected.filter((id) => right.includes(id))).toEqual([])
        for (const id of right) expect(result.signers).toContain(id)
        expect(result.checks).toBeLessThanOrEqual(Math.max(1, signatures.length))
        expect(new Set([...result.signers, ...rejected]).size).toBe(signatures.length)
        // Counted invalid signatures have errors that cancel, and no other fault.
        const cancelling = acts.flatMap((what, at) =>
          typeof what === 'number' && result.signers.includes(keys[at]!.operatorId)
            ? [what * (at % 3 === 0 ? 2 : 1)]
            : [],
        )
        expect(cancelling.reduce((sum, error) => sum + error, 0)).toBe(0)
        expect(result.signers).toHaveLength(right.length + cancelling.length)
        expect(result.reached).toBe(result.signers.length > 0)
        if (!result.reached) return
        expect(verifySignature(digest, result.evidence.sigma, result.evidence.apkG2)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it('accepts errors that cancel as a signature of both keys together', () => {
    const pair = [shift(good[0]!, multiple(1)), shift(good[1]!, multiple(1), true)]
    const result = aggregate([...pair, good[2]!, good[3]!])
    expect(result).toMatchObject({ reached: true, checks: 1, rejected: [] })
    // With another invalid signature, the sum of the two is still valid, one alone is not.
    const third = aggregate([...pair, good[2]!, bad[3]!])
    expect(third.rejected.map(({ operatorId }) => operatorId)).toEqual(idsOf([3]))
    const apart = aggregate(
      [pair[0]!, good[2]!, pair[1]!, bad[3]!].map((each) => each),
      4,
    )
    expect(apart.rejected.map(({ operatorId }) => operatorId)).toEqual(idsOf([0, 1, 3]))
  })

  it('counts an operator even if another sent a signature under its id first', () => {
    const forged = { operatorId: good[0]!.operatorId, signature: good[1]!.signature }
    const result = aggregate([forged, good[0]!, good[1]!], 2)
    expect(result.signers).toEqual(idsOf([0, 1]))
    expect(result.rejected).toEqual([{ operatorId: good[0]!.operatorId, reason: 'duplicate' }])
    if (!result.reached) throw new Error('not reached')
    expect(verifySignature(digest, result.evidence.sigma, result.evidence.apkG2)).toBe(true)
  })

  it('does not attest if the keys of the signers add up to zero', () => {
    const order = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001n
    const secretOf = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
    const [one, opposite] = [blsKey(secretOf(5n)), blsKey(secretOf(order - 5n))]
    const base = smaller(2)
    const both = [one, opposite]
    const operatorSet = {
      ...base,
      operators: base.operators.map((operator, at) => {
        const { operatorId, pubkeyG1, pubkeyG2 } = both[at]!
        return { ...operator, operatorId, pubkeyG1, pubkeyG2 }
      }),
    }
    const of = (signing: typeof both) =>
      aggregateSignatures({
        digest,
        operatorSet,
        thresholdPercentage: 0,
        signatures: signing.map((key) => ({
          operatorId: key.operatorId,
          signature: key.sign(digest),
        })),
      })
    expect(of(both)).toMatchObject({ reached: false, rejected: [] })
    expect(of([one])).toMatchObject({ reached: true, rejected: [] })
  })
})
