import { type Hex, toHex } from 'viem'
import { bitFlip } from '../arbitraries/bitFlip.ts'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectMatch } from '../core/expect.ts'
import { encodeAttestation } from '../crypto/attestation.ts'
import { withTask } from '../crypto/change.ts'
import { bitPositions, flipBit, nameOf } from '../crypto/flip.ts'
import {
  callContract,
  devNode,
  expectBlockOverrides,
  expectDecision,
  expectRefused,
} from '../kit/assertions/contract.ts'
import { checkProperty } from '../kit/assertions/property.ts'
import {
  type AttestedTask,
  freshAttestation,
  lastingAttestation,
  sharedAttestation,
} from '../kit/scenarios/attested.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { minedReceipt } from '../kit/scenarios/minedReceipt.ts'
import { edgeOf, stakesOf, withStopped } from '../kit/scenarios/operators.ts'
import { wasmArgs } from '../kit/scenarios/oracles.ts'
import { createTaskSubject } from '../kit/scenarios/subjects.ts'

/** Section 7.5: the contract's conditions, each tested by one change of an accepted attestation. */
const { needs } = createTaskSubject
const pricedNeeds = [...needs, 'fixture-host', `client:${fixture.priced}`] as const
const twin = 'the unchanged attestation'

/** Flips bits of an attestation, one at a time; the contract accepts only the original. */
const anyBit = (
  id: string,
  what: string,
  needs: Check['needs'],
  runs: number,
  make: (t: CheckContext) => Promise<AttestedTask>,
): Check => ({
  id,
  title: `any single flipped bit of ${what} is refused`,
  clauses: ['7.5-10'],
  level: 'must',
  needs,
  twin,
  run: async (t) => {
    const current = lastingAttestation(
      t,
      () => make(t),
      ({ attestation }) => t.twin(() => expectDecision(t, attestation, true)),
    )
    await current()
    await checkProperty(t, 'bits', bitFlip(), { runs }, async ({ place, bit }) => {
      const { attestation } = await current()
      const places = bitPositions(attestation)
      const where = places[Math.floor(place * places.length)]!
      // The contract is called from the client of the attestation.
      const { policyClient } = attestation.task
      await expectRefused(t, flipBit(attestation, where, bit), nameOf(where, bit), policyClient)
    })
  },
})

export const onChain: readonly Check[] = [
  // 7.5-10: On chain an attestation with any change is refused.
  anyBit('chain.attestation.any-bit', 'an attestation', needs, 60, sharedAttestation),
  anyBit(
    'chain.attestation.any-bit-with-data',
    'an attestation with oracle data',
    pricedNeeds,
    40,
    (t) => freshAttestation(t, { wasm_args: wasmArgs(t, fixture.priced) }, fixture.priced),
  ),
  {
    // 7.5-12: Whether terms of a task that operators do not sign can be changed before spending.
    id: 'chain.attestation.observed.unsigned-terms',
    title: 'observed: unsigned members of the task, changed before the task is posted',
    clauses: ['7.5-12'],
    level: 'may',
    needs,
    run: async (t) => {
      const { attestation } = await freshAttestation(t)
      const { task } = attestation
      const changes = {
        'a lower threshold': { quorumThresholdPercentage: task.quorumThresholdPercentage - 1 },
        'an earlier reference block': { taskCreatedBlock: task.taskCreatedBlock - 1 },
        'other wasmArgs': { wasmArgs: '0x7b7d' },
      } as const
      for (const [name, change] of Object.entries(changes)) {
        const calldata = encodeAttestation(withTask(attestation, change))
        const answer = await callContract(t, calldata, task.policyClient)
        t.observe(`${name}: ${answer.kind === 'decision' ? 'taken' : answer.error}`)
      }
    },
  },
  {
    // 7.5-07: On chain the signers are checked against the quorum.
    id: 'chain.attestation.refused.quorum',
    title:
      'a signature of too little stake is refused: the same evidence, one percent more required',
    clauses: ['7.5-07'],
    level: 'must',
    needs: [...needs, 'operator-control', 'operators'],
    exclusive: true,
    twin: 'the same evidence at the threshold that the signers reach',
    run: async (t) => {
      const stakes = stakesOf(t)
      const stopped = [stakes.length - 1]
      const edge = edgeOf(stakes, stopped)
      await withStopped(t, stopped, async () => {
        const { attestation } = await freshAttestation(t, { quorum_threshold_percentage: edge })
        await t.twin(() => expectDecision(t, attestation, true))
        const more = withTask(attestation, { quorumThresholdPercentage: edge + 1 })
        const error = await expectRefused(t, more, 'a quorum that was not reached')
        expectMatch(error, /quorum|^error 0x|^reverted/i, 'the reason of the refusal')
      })
    },
  },
  {
    // 7.5-10: On chain an attestation with any change is refused.
    // 1-05: A contract can verify the attestation on chain.
    id: 'chain.attestation.spent',
    title: 'an attestation is accepted once: after it is spent it is refused',
    clauses: ['7.5-10', '1-05'],
    level: 'must',
    needs: [...needs, 'chain:dev'],
    exclusive: true,
    twin: 'the same attestation before it was spent',
    run: async (t) => {
      const { attestation } = await freshAttestation(t)
      const { policyClient } = attestation.task
      await t.twin(() => expectDecision(t, attestation, true))
      await devNode(t, 'anvil_impersonateAccount', [policyClient])
      try {
        await devNode(t, 'anvil_setBalance', [policyClient, toHex(10n ** 18n)])
        const hash = (await devNode(t, 'eth_sendTransaction', [
          {
            from: policyClient,
            to: t.target.chain?.taskManager,
            data: encodeAttestation(attestation),
            gas: toHex(5_000_000),
          },
        ])) as Hex
        const receipt = await minedReceipt(t, hash)
        expectEqual(receipt.status, 'success', 'the transaction that spends it')
      } finally {
        await t.cleanup(() => devNode(t, 'anvil_setBalance', [policyClient, '0x0']))
        await t.cleanup(() => devNode(t, 'anvil_stopImpersonatingAccount', [policyClient]))
      }
      const error = await expectRefused(t, attestation, 'a spent attestation')
      expectMatch(error, /spent|^error 0x|reverted/i, 'the refusal')
    },
  },
  {
    // 7.5-06: On chain an attestation is refused at its expiration block, and not before.
    // 2.5-12: expiration is reference_block plus policy_config.expireAfter.
    // 3-07: An attestation expires at block reference_block plus expireAfter.
    id: 'chain.attestation.expiry',
    title:
      'an attestation is accepted in the last block before its expiration and refused in the next',
    clauses: ['7.5-06', '2.5-12', '3-07'],
    level: 'must',
    needs,
    twin: 'the same attestation one block earlier',
    run: async (t) => {
      await expectBlockOverrides(t)
      const { attestation, result } = await sharedAttestation(t)
      const { policyClient } = attestation.task
      const expiration = BigInt(Number(result.expiration))
      const askAt = (block: bigint) =>
        callContract(t, encodeAttestation(attestation), policyClient, block)
      await t.twin(async () => {
        const last = await askAt(expiration - 1n)
        expectEqual(
          last,
          { kind: 'decision', allowed: true },
          'the contract’s response in the last block',
        )
      })
      for (const block of [expiration, expiration + 1n, expiration + 100_000n]) {
        const answer = await askAt(block)
        expectEqual(answer.kind, 'refused', `the response in block ${block}`)
        if (answer.kind === 'refused')
          expectMatch(answer.error, /expired|^error 0x|reverted/i, 'the refusal')
      }
    },
  },
]
