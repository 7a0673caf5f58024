import { type Hex, toHex } from 'viem'
import { bitFlip } from '../arbitraries/bitFlip.ts'
import { type Attestation, encodeAttestation } from '../crypto/attestation.ts'
import { withEvidence, withIntent, withResponse, withTask } from '../crypto/change.ts'
import { flipBit, nameOf, placesOf } from '../crypto/flip.ts'
import { type AttestedTask, freshAttestation, sharedAttestation } from '../lab/attested.ts'
import {
  askContract,
  devNode,
  expectBlockOverrides,
  expectDecision,
  expectRefused,
} from '../lab/contract.ts'
import { fixture } from '../lab/fixtures.ts'
import { wasmArgs } from '../lab/oracles.ts'
import { createTaskSubject } from '../lab/subjects.ts'
import type { Check } from '../runner/check.ts'
import type { CheckContext } from '../runner/context.ts'
import { expectEqual, expectMatch } from '../runner/expect.ts'
import { checkProperty } from '../runner/property.ts'

/** Section 7.5: what the contract checks, each by one change of an attestation it takes. */
const { needs } = createTaskSubject
const pricedNeeds = [...needs, 'fixture-host', `client:${fixture.priced}`] as const
const twin = 'the attestation as the gateway gave it'

const refused = (
  name: string,
  title: string,
  clauses: readonly string[],
  change: (attestation: Attestation) => Attestation,
): Check => ({
  id: `chain.attestation.refused.${name}`,
  title,
  clauses: [...new Set([...clauses, '7.5-10'])],
  level: 'must',
  needs,
  twin,
  run: async (t) => {
    const { attestation } = await sharedAttestation(t)
    await t.twin(() => expectDecision(t, attestation, true))
    const error = await expectRefused(t, change(attestation), name)
    t.observe(`${name}: ${error}`)
  },
})

/** Flips bits of an attestation, one at a time; the contract takes it only as it was. */
const anyBit = (
  name: string,
  what: string,
  needs: Check['needs'],
  runs: number,
  make: (t: CheckContext) => Promise<AttestedTask>,
): Check => ({
  id: `chain.attestation.${name}`,
  title: `any single flipped bit of ${what} is refused`,
  clauses: ['7.5-10'],
  level: 'must',
  needs,
  twin,
  run: async (t) => {
    const { attestation } = await make(t)
    await t.twin(() => expectDecision(t, attestation, true))
    const places = placesOf(attestation)
    await checkProperty(t, 'bits', bitFlip(), { runs }, async ({ place, bit }) => {
      const where = places[Math.floor(place * places.length)]!
      // The contract is asked by the client that the attestation was made for.
      const { policyClient } = attestation.task
      await expectRefused(t, flipBit(attestation, where, bit), nameOf(where, bit), policyClient)
    })
  },
})

export const onChain: readonly Check[] = [
  refused('result', 'a changed evaluation result is refused', ['7.5-10'], (a) =>
    withResponse(a, { evaluationResult: toHex(0n, { size: 32 }) }),
  ),
  refused('intent-value', 'a changed value is refused', ['7.5-10'], (a) =>
    withIntent(a, { value: a.response.intent.value + 1n }),
  ),
  refused('intent-to', 'a changed recipient is refused', ['7.5-10'], (a) =>
    withIntent(a, { to: '0x90f79bf6eb2c4f870365e785982e1f101e93b906' }),
  ),
  refused('intent-chain', 'an intent for another chain is refused', ['7.5-09'], (a) =>
    withIntent(a, { chainId: a.response.intent.chainId + 1n }),
  ),
  refused('params', 'changed policy parameters are refused', ['7.5-10'], (a) =>
    withResponse(a, { policyConfig: { ...a.response.policyConfig, policyParams: '0x7b7d' } }),
  ),
  refused('expire-after', 'a longer life is refused', ['7.5-06', '7.5-10'], (a) =>
    withResponse(a, {
      policyConfig: {
        ...a.response.policyConfig,
        expireAfter: a.response.policyConfig.expireAfter + 1,
      },
    }),
  ),
  refused('policy-id', 'another policy id is refused', ['7.5-10'], (a) =>
    withResponse(a, { policyId: toHex(1n, { size: 32 }) }),
  ),
  refused('task-only', 'an intent changed in the task alone is refused', ['7.5-10'], (a) =>
    withTask(a, { intent: { ...a.task.intent, value: a.task.intent.value + 1n } }),
  ),
  refused('reference-block-future', 'a reference block in the future is refused', ['7.5-08'], (a) =>
    withTask(a, { taskCreatedBlock: a.task.taskCreatedBlock + 1_000_000 }),
  ),
  refused(
    'reference-block-before',
    'a reference block before the operators were there is refused',
    ['7.5-08'],
    (a) => withTask(a, { taskCreatedBlock: 0 }),
  ),
  refused('quorum-unknown', 'a quorum that the signers are not of is refused', ['7.5-07'], (a) =>
    withTask(a, { quorumNumbers: '0x07' }),
  ),
  refused('non-signer-added', 'a signer named as a non-signer is refused', ['7.5-07'], (a) =>
    withEvidence(a, (e) => ({
      ...e,
      nonSignerPubkeys: [e.quorumApks[0]!],
      nonSignerQuorumBitmapIndices: [0],
      nonSignerStakeIndices: [[0]],
    })),
  ),
  refused('signature-other', 'another point as signature is refused', ['7.5-07'], (a) =>
    withEvidence(a, (e) => ({ ...e, sigma: { X: 1n, Y: 2n } })),
  ),
  refused('signature-none', 'the identity as signature is refused', ['7.5-07'], (a) =>
    withEvidence(a, (e) => ({ ...e, sigma: { X: 0n, Y: 0n } })),
  ),
  refused('key-other', 'another aggregate key is refused', ['7.5-07', '7.5-08'], (a) =>
    withEvidence(a, (e) => ({ ...e, quorumApks: [{ X: 1n, Y: 2n }] })),
  ),
  {
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
  anyBit('any-bit', 'an attestation', needs, 60, sharedAttestation),
  anyBit('any-bit-with-data', 'an attestation with oracle data', pricedNeeds, 40, (t) =>
    freshAttestation(t, { wasm_args: wasmArgs(t, fixture.priced) }, fixture.priced),
  ),
  {
    id: 'chain.attestation.observed.unsigned-terms',
    title: 'observed: terms of the task that no operator signs, changed before the task is posted',
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
        const answer = await askContract(t, calldata, task.policyClient)
        t.observe(`${name}: ${answer.kind === 'decision' ? 'taken' : answer.error}`)
      }
    },
  },
  {
    id: 'chain.attestation.spent',
    title: 'an attestation is taken once: when it is spent it is refused',
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
        const receipt = await t.chain().waitForTransactionReceipt({ hash, timeout: 20_000 })
        expectEqual(receipt.status, 'success', 'the transaction that spends it')
      } finally {
        await devNode(t, 'anvil_setBalance', [policyClient, '0x0'])
        await devNode(t, 'anvil_stopImpersonatingAccount', [policyClient])
      }
      const error = await expectRefused(t, attestation, 'a spent attestation')
      expectMatch(error, /spent|^error 0x|reverted/i, 'the refusal')
    },
  },
  {
    id: 'chain.attestation.expiry',
    title:
      'an attestation is taken in the last block before its expiration and refused in the next',
    clauses: ['7.5-06', '2.5-12'],
    level: 'must',
    needs,
    twin: 'the same attestation one block earlier',
    run: async (t) => {
      await expectBlockOverrides(t)
      const { attestation, result } = await sharedAttestation(t)
      const { policyClient } = attestation.task
      const expiration = BigInt(Number(result.expiration))
      const askAt = (block: bigint) =>
        askContract(t, encodeAttestation(attestation), policyClient, block)
      await t.twin(async () => {
        const last = await askAt(expiration - 1n)
        expectEqual(last, { kind: 'decision', allowed: true }, 'the answer in the last block')
      })
      for (const block of [expiration, expiration + 1n, expiration + 100_000n]) {
        const answer = await askAt(block)
        expectEqual(answer.kind, 'refused', `the answer in block ${block}`)
        if (answer.kind === 'refused')
          expectMatch(answer.error, /expired|^error 0x|reverted/i, 'the refusal')
      }
    },
  },
]
