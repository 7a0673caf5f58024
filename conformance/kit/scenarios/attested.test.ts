import { overclaimingTarget } from 'polgate-self-test/nullTargets.ts'
import { expect, test } from 'vitest'
import type { CheckContext } from '../../core/context.ts'
import { type AttestedTask, lastingAttestation } from './attested.ts'

/** A chain that mines that many blocks for every question for its height. */
function chainWith(blocksPerStep: number) {
  let head = 100
  const getBlockNumber = async () => {
    head += blocksPerStep
    return BigInt(head)
  }
  const chain = { getBlockNumber }
  const t = { target: overclaimingTarget('http://x.invalid'), chain: () => chain }
  return { t: t as unknown as CheckContext, head: () => head }
}

test.each([
  ['a slow chain', 0, 1],
  ['a chain that mines fast', 4, 3],
])(
  'on %s an attestation is replaced before half of its blocks are left',
  async (_, blocks, made) => {
    const { t, head } = chainWith(blocks)
    const begun: unknown[] = []
    const current = lastingAttestation(
      t,
      async () =>
        ({
          result: { reference_block: head(), expiration: head() + 20 },
        }) as unknown as AttestedTask,
      async ({ result }) => void begun.push(result.expiration),
    )
    for (let i = 0; i < 8; i++) {
      const { result } = await current()
      expect(Number(result.expiration) - head()).toBeGreaterThanOrEqual(10)
    }
    expect(begun).toHaveLength(made)
  },
)
