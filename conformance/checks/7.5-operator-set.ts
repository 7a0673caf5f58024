import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectMatch } from '../core/expect.ts'
import { expectDecision, expectRefused } from '../kit/assertions/contract.ts'
import { type ChainFork, withFork } from '../kit/scenarios/chainFork.ts'
import { type OwnOperator, ownOperator } from '../kit/scenarios/ownOperator.ts'
import { createTaskSubject } from '../kit/scenarios/subjects.ts'

/**
 * Section 7.5: signers against the quorum, the reference block against the operator set. On a fork
 * of the chain the suite registers its own operator and signs as it.
 */
const { needs } = createTaskSubject

const withOperator = (
  t: CheckContext,
  run: (operator: OwnOperator, fork: ChainFork) => Promise<void>,
): Promise<void> => withFork(t, async (fork) => run(await ownOperator(t, fork), fork))

export const operatorSetOnChain: readonly Check[] = [
  {
    // 7.5-07: On chain the signers are checked against the quorum.
    // 4.2-13: The threshold decides: the task succeeds exactly when the signed stake reaches it.
    id: 'chain.operators.stake-decides',
    title: 'a signer with half the stake reaches a threshold of 50 percent but not of 51',
    clauses: ['7.5-07', '4.2-13'],
    level: 'must',
    needs,
    twin: 'the same signature at the threshold that its stake reaches',
    run: async (t) => {
      await withOperator(t, async (operator, fork) => {
        await operator.register(operator.others)
        const referenceBlock = await fork.head()
        const at = (threshold: number, nonce: number) =>
          operator.attest({ nonce, referenceBlock, threshold })
        await t.twin(async () => expectDecision(fork.context, await at(50, 1), true))
        await expectDecision(fork.context, await at(1, 2), true)
        for (const threshold of [51, 67, 100]) {
          const more = await at(threshold, threshold)
          const error = await expectRefused(fork.context, more, `a threshold of ${threshold}`)
          expectMatch(error, /quorum|^error 0x|^reverted/i, 'the reason of the refusal')
        }
      })
    },
  },
  {
    // 7.5-08: On chain the reference block is checked against the operator set.
    // 7.5-14: An attestation whose threshold was met by the stake at the reference block stays
    //   valid when stakes change later.
    id: 'chain.operators.at-reference-block',
    title: 'an operator counts from the block of its registration to that of its deregistration',
    clauses: ['7.5-08', '7.5-14'],
    level: 'must',
    needs,
    twin: 'the same signature while its operator is registered',
    run: async (t) => {
      await withOperator(t, async (operator, fork) => {
        await fork.mine(2)
        await operator.register(3n * operator.others)
        const first = await fork.head()
        await fork.mine(3)
        const at = (referenceBlock: number, setOf = referenceBlock) =>
          operator.attest({ nonce: referenceBlock, referenceBlock, setOf })
        await t.twin(async () => expectDecision(fork.context, await at(first), true))
        const ahead = (await fork.head()) + 1_000_000
        t.observe(await expectRefused(fork.context, await at(ahead, first), 'a future block'))
        await operator.deregister()
        const gone = await fork.head()
        await fork.mine(2)
        // It is deregistered now: its signatures for earlier blocks are still valid.
        for (const block of [first, first + 1, gone - 1])
          await expectDecision(fork.context, await at(block), true)
        for (const block of [first - 1, gone, gone + 1])
          for (const setOf of [block, first]) {
            const what = `a reference block at which it was not an operator, with the set of ${setOf}`
            t.observe(`${await expectRefused(fork.context, await at(block, setOf), what)}`)
          }
      })
    },
  },
]
