import { toHex } from 'viem'
import type { Check } from '../core/check.ts'
import { lastPart } from '../core/check.ts'
import { expectThat } from '../core/expect.ts'
import type { Attestation } from '../crypto/attestation.ts'
import { withEvidence, withIntent, withResponse, withTask } from '../crypto/change.ts'
import { expectDecision, expectRefused } from '../kit/assertions/contract.ts'
import { sharedAttestation } from '../kit/scenarios/attested.ts'
import { createTaskSubject } from '../kit/scenarios/subjects.ts'

/** Section 7.5: an attestation with one changed part is rejected for that reason. */
const { needs } = createTaskSubject
const twin = 'the unchanged attestation'

const refused = (
  id: string,
  title: string,
  clauses: readonly string[],
  /** Accepted errors, by the names of the reference implementation. */
  reasons: string | readonly string[],
  change: (attestation: Attestation) => Attestation,
): Check => ({
  id,
  title,
  clauses: [...new Set([...clauses, '7.5-10'])],
  level: 'must',
  needs,
  twin,
  run: async (t) => {
    const { attestation } = await sharedAttestation(t)
    await t.twin(() => expectDecision(t, attestation, true))
    const error = await expectRefused(t, change(attestation), lastPart(id))
    // Another contract may name its errors differently; the same names must have the same meaning.
    if (!/^error 0x|^reverted/.test(error))
      expectThat([reasons].flat().includes(error), 'the reason of the refusal', reasons, error)
    t.observe(`${lastPart(id)}: ${error}`)
  },
})

export const changedAttestation: readonly Check[] = [
  refused(
    // 7.5-10: On chain an attestation with any change is refused.
    'chain.attestation.refused.result',
    'a changed evaluation result is refused',
    ['7.5-10'],
    'InvalidSignature',
    (a) => withResponse(a, { evaluationResult: toHex(0n, { size: 32 }) }),
  ),
  refused(
    'chain.attestation.refused.intent-value',
    'a changed value is refused',
    ['7.5-10'],
    'TaskIdMismatch',
    (a) => withIntent(a, { value: a.response.intent.value + 1n }),
  ),
  refused(
    'chain.attestation.refused.intent-to',
    'a changed recipient is refused',
    ['7.5-10'],
    'TaskIdMismatch',
    (a) => withIntent(a, { to: '0x90f79bf6eb2c4f870365e785982e1f101e93b906' }),
  ),
  refused(
    // 7.5-09: On chain the intent’s chain id is checked against the chain of the client.
    // 7.5-10: On chain an attestation with any change is refused.
    'chain.attestation.refused.intent-chain',
    'an intent for another chain is refused',
    ['7.5-09'],
    'IntentForAnotherChain',
    (a) => withIntent(a, { chainId: a.response.intent.chainId + 1n }),
  ),
  refused(
    // 7.5-10: On chain an attestation with any change is refused.
    'chain.attestation.refused.params',
    'changed policy parameters are refused',
    ['7.5-10'],
    ['PolicyConfigMismatch', 'InvalidSignature'],
    (a) =>
      withResponse(a, { policyConfig: { ...a.response.policyConfig, policyParams: '0x7b7d' } }),
  ),
  refused(
    // 7.5-06: On chain an attestation is refused at its expiration block, and not before.
    // 7.5-10: On chain an attestation with any change is refused.
    'chain.attestation.refused.expire-after',
    'a later expiration is refused',
    ['7.5-06', '7.5-10'],
    ['PolicyConfigMismatch', 'InvalidSignature'],
    (a) =>
      withResponse(a, {
        policyConfig: {
          ...a.response.policyConfig,
          expireAfter: a.response.policyConfig.expireAfter + 1,
        },
      }),
  ),
  refused(
    // 7.5-10: On chain an attestation with any change is refused.
    'chain.attestation.refused.policy-id',
    'another policy id is refused',
    ['7.5-10'],
    'PolicyIdNotCurrent',
    (a) => withResponse(a, { policyId: toHex(1n, { size: 32 }) }),
  ),
  refused(
    'chain.attestation.refused.task-only',
    'an intent changed only in the task is refused',
    ['7.5-10'],
    'TaskIdMismatch',
    (a) => withTask(a, { intent: { ...a.task.intent, value: a.task.intent.value + 1n } }),
  ),
  refused(
    // 7.5-08: On chain the reference block is checked against the operator set.
    // 7.5-10: On chain an attestation with any change is refused.
    'chain.attestation.refused.reference-block-future',
    'a reference block in the future is refused',
    ['7.5-08'],
    ['TaskIdMismatch', 'ReferenceBlockInFuture'],
    (a) => withTask(a, { taskCreatedBlock: a.task.taskCreatedBlock + 1_000_000 }),
  ),
  refused(
    'chain.attestation.refused.reference-block-before',
    'a reference block before the operators were registered is refused',
    ['7.5-08'],
    ['TaskIdMismatch', 'WrongHistoryIndex'],
    (a) => withTask(a, { taskCreatedBlock: 0 }),
  ),
  refused(
    // 7.5-07: On chain the signers are checked against the quorum.
    // 7.5-10: On chain an attestation with any change is refused.
    'chain.attestation.refused.quorum-unknown',
    'a quorum without the signers is refused',
    ['7.5-07'],
    'UnknownQuorum',
    (a) => withTask(a, { quorumNumbers: '0x07' }),
  ),
  refused(
    'chain.attestation.refused.non-signer-added',
    'a signer listed as a non-signer is refused',
    ['7.5-07'],
    'WrongHistoryIndex',
    (a) =>
      withEvidence(a, (e) => ({
        ...e,
        nonSignerPubkeys: [e.quorumApks[0]!],
        nonSignerQuorumBitmapIndices: [0],
        nonSignerStakeIndices: [[0]],
      })),
  ),
  refused(
    // 7.5-07: On chain the signers are checked against the quorum.
    // 7.5-10: On chain an attestation with any change is refused.
    'chain.attestation.refused.signature-other',
    'another point as signature is refused',
    ['7.5-07'],
    'InvalidSignature',
    (a) => withEvidence(a, (e) => ({ ...e, sigma: { X: 1n, Y: 2n } })),
  ),
  refused(
    'chain.attestation.refused.signature-none',
    'the identity as signature is refused',
    ['7.5-07'],
    'InvalidSignature',
    (a) => withEvidence(a, (e) => ({ ...e, sigma: { X: 0n, Y: 0n } })),
  ),
  refused(
    // 7.5-07: On chain the signers are checked against the quorum.
    // 7.5-08: On chain the reference block is checked against the operator set.
    // 7.5-10: On chain an attestation with any change is refused.
    'chain.attestation.refused.key-other',
    'another aggregate key is refused',
    ['7.5-07', '7.5-08'],
    'QuorumApkMismatch',
    (a) => withEvidence(a, (e) => ({ ...e, quorumApks: [{ X: 1n, Y: 2n }] })),
  ),
  {
    // 7.5-10: On chain an attestation with any change is refused.
    id: 'chain.attestation.refused.caller',
    title: 'the attestation of a client is refused from another caller',
    clauses: ['7.5-10'],
    level: 'must',
    needs,
    twin,
    run: async (t) => {
      const { attestation } = await sharedAttestation(t)
      await t.twin(() => expectDecision(t, attestation, true))
      const stranger = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'
      t.observe(
        `another caller: ${await expectRefused(t, attestation, 'another caller', stranger)}`,
      )
    },
  },
]
