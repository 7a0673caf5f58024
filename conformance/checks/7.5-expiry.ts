import type { Check } from '../core/check.ts'
import { expectEqual } from '../core/expect.ts'
import { encodeAttestation } from '../crypto/attestation.ts'
import { withTask } from '../crypto/change.ts'
import { callContract, expectBlockOverrides } from '../kit/assertions/contract.ts'
import { sharedAttestation } from '../kit/scenarios/attested.ts'
import { createTaskSubject } from '../kit/scenarios/subjects.ts'

/**
 * Sections 3 and 7.5: nothing that its holder can change extends the validity of an attestation.
 */
const { needs } = createTaskSubject

export const expiryOnChain: readonly Check[] = [
  {
    // 3-07: An attestation expires at block reference_block plus expireAfter.
    // 7.5-06: On chain an attestation is refused at its expiration block, and not before.
    id: 'chain.attestation.not-revived',
    title:
      'an expired attestation of a task that was never posted stays expired if its block is changed',
    clauses: ['3-07', '7.5-06'],
    level: 'must',
    needs,
    twin: 'the same attestation in its last block',
    run: async (t) => {
      await expectBlockOverrides(t)
      const { attestation, result } = await sharedAttestation(t)
      const { policyClient, taskCreatedBlock } = attestation.task
      const expiration = BigInt(Number(result.expiration))
      // The state when the response was prepared: the task was not posted then.
      const state = BigInt(Number(result.reference_block))
      const ask = (moved: number, block: bigint) => {
        const changed = withTask(attestation, { taskCreatedBlock: taskCreatedBlock + moved })
        return callContract(t, encodeAttestation(changed), policyClient, block, state)
      }
      await t.twin(async () =>
        expectEqual(
          await ask(0, expiration - 1n),
          { kind: 'decision', allowed: true },
          'the contract’s response in the last block',
        ),
      )
      for (const moved of [1, 2, 50]) {
        const answer = await ask(moved, expiration + BigInt(moved - 1))
        expectEqual(
          answer.kind,
          'refused',
          `the contract’s response with the block moved by ${moved}`,
        )
        if (answer.kind === 'refused') t.observe(`moved by ${moved}: ${answer.error}`)
      }
    },
  },
]
