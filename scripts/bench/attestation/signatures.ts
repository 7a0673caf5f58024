import { aggregateSignatures } from 'polgate-service/attestation/aggregate.ts'
import { verifySignature } from 'polgate-service/attestation/bls.ts'
import { operatorsOf } from 'polgate-service/attestation/testing/operatorSet.ts'
import { keccak256, toHex } from 'viem'

/** Median of as many runs as fit in a short time, at least three; milliseconds. */
function medianOf(work: () => unknown, budgetMs: number): number {
  work()
  const times: number[] = []
  const end = performance.now() + budgetMs
  while (times.length < 3 || (performance.now() < end && times.length < 200)) {
    const begin = performance.now()
    work()
    times.push(performance.now() - begin)
  }
  times.sort((a, b) => a - b)
  return times[times.length >> 1] ?? 0
}

export type SignatureRow = Readonly<Record<string, number>>

const digest = keccak256(toHex('response'))
const other = keccak256(toHex('another response'))

/**
 * Cost of signing, aggregating and verifying with this many operators; milliseconds and counts.
 *
 * @param budgetMs for which each is repeated
 */
export function measureSignatures(count: number, budgetMs: number): SignatureRow {
  const { keys, setOf } = operatorsOf(
    'bench',
    Array.from({ length: count }, () => [1n]),
  )
  const operatorSet = setOf([0])
  const signed = keys.map((key) => ({ operatorId: key.operatorId, signature: key.sign(digest) }))
  const wrong = keys.map((key) => ({ operatorId: key.operatorId, signature: key.sign(other) }))
  const aggregate = (signatures: typeof signed) =>
    aggregateSignatures({ digest, operatorSet, thresholdPercentage: 0, signatures })
  /** Spread evenly, so that halves share few sums: the worst case for halving. */
  const withCulprits = (invalidSignatures: number) =>
    signed.map((each, at) => {
      const before = Math.floor((at * invalidSignatures) / count)
      return Math.floor(((at + 1) * invalidSignatures) / count) > before
        ? (wrong[at] ?? each)
        : each
    })
  const checkEach = (signatures: typeof signed) =>
    signatures.filter(({ signature }, at) => {
      const key = operatorSet.operators[at]?.pubkeyG2
      return key !== undefined && verifySignature(digest, signature, key)
    })
  const timeOf = (work: () => unknown) => medianOf(work, budgetMs)
  const all = aggregate(signed)
  if (!all.reached) throw new Error('the quorum was not reached')
  const { sigma, apkG2 } = all.evidence
  const one = withCulprits(1)
  const quarter = withCulprits(count / 4)
  const everyone = withCulprits(count)
  return {
    'sign: one operator': timeOf(() => keys[0]?.sign(digest)),
    'sign: all, sequentially': timeOf(() => keys.map((key) => key.sign(digest))),
    'verify the aggregate off chain': timeOf(() => verifySignature(digest, sigma, apkG2)),
    'aggregate: all good': timeOf(() => aggregate(signed)),
    'aggregate: a third missing': timeOf(() =>
      aggregate(signed.slice(0, Math.ceil((count * 2) / 3))),
    ),
    'aggregate: 1 culprit': timeOf(() => aggregate(one)),
    'aggregate: n/4 culprits': timeOf(() => aggregate(quarter)),
    'aggregate: n culprits': timeOf(() => aggregate(everyone)),
    'check each signature instead': timeOf(() => checkEach(signed)),
    'pairing checks: all good': all.checks,
    'pairing checks: 1 culprit': aggregate(one).checks,
    'pairing checks: n/4 culprits': aggregate(quarter).checks,
    'pairing checks: n culprits': aggregate(everyone).checks,
  }
}
