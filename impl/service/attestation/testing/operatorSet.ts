import type { OperatorSet } from 'polgate-chain/operatorSet.ts'
import { toHex } from 'viem'
import { sumG1 } from '../sums.ts'
import { testKey } from './world.ts'

/** One operator per element of `stakes`, with its stakes in quorums 0 and up. */
export function operatorsOf(name: string, stakes: readonly (readonly (bigint | undefined)[])[]) {
  const keys = stakes.map((_, at) => testKey(`${name} ${at}`))

  function setOf(quorumNumbers: readonly number[]): OperatorSet {
    const all = stakes.map((own, at) => ({ own, at, key: keys[at]! }))
    const within = all.filter(({ own }) => quorumNumbers.some((q) => own[q] !== undefined))
    return {
      referenceBlock: 7,
      quorumNumbers,
      encodedQuorumNumbers: toHex(Uint8Array.from(quorumNumbers)),
      operators: within.map(({ own, at, key }) => ({
        operatorId: key.operatorId,
        account: `0x${(0xaa00 + at).toString(16).padStart(40, '0')}`,
        pubkeyG1: key.pubkeyG1,
        pubkeyG2: key.pubkeyG2,
        quorumBitmap: bitmapOf(own),
        quorumBitmapIndex: 100 + at,
        stakes: quorumNumbers.map((q) => own[q] ?? 0n),
        stakeIndices: quorumNumbers.map((q) => (own[q] === undefined ? 0 : 10 * at + q)),
      })),
      quorums: quorumNumbers.map((q) => {
        const inQuorum = within.filter(({ own }) => own[q] !== undefined)
        return {
          quorumNumber: q,
          apk: sumG1(inQuorum.map(({ key }) => ({ point: key.pubkeyG1, weight: 1 }))),
          totalStake: inQuorum.reduce((sum, { own }) => sum + own[q]!, 0n),
          apkIndex: 50 + q,
          totalStakeIndex: 60 + q,
        }
      }),
    }
  }
  return { keys, setOf }
}

const bitmapOf = (stakes: readonly (bigint | undefined)[]): bigint =>
  stakes.reduce<bigint>(
    (map, stake, q) => (stake === undefined ? map : map | (1n << BigInt(q))),
    0n,
  )
