import type { Hex } from 'viem'
import { encodeAbiParameters, keccak256, toHex } from 'viem'
import type { Check } from '../core/check.ts'
import { expectEqual, expectThat, type JsonObject } from '../core/expect.ts'
import {
  type Attestation,
  decodeEvidence,
  type Evidence,
  encodeEvidence,
  intentHash,
  responseDigest,
  responseOfResult,
  type TaskResponse,
  taskOfResult,
} from '../crypto/attestation.ts'
import { operatorIdOf, verifyAggregate } from '../crypto/bn254.ts'
import { expectDecision } from '../kit/assertions/contract.ts'
import * as shape from '../kit/assertions/shape.ts'
import { expectShape } from '../kit/assertions/shape.ts'
import { freshAttestation, sharedAttestation } from '../kit/scenarios/attested.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { withStopped } from '../kit/scenarios/operators.ts'
import { wasmArgs } from '../kit/scenarios/oracles.ts'
import { chainIdOf, taskParams } from '../kit/scenarios/requests.ts'
import { createTaskSubject } from '../kit/scenarios/subjects.ts'

/** Sections 1 and 2.5: the aggregate, verified independently of the gateway and on chain. */
const { needs } = createTaskSubject

const evidenceOf = ({ signatureData }: Attestation): Evidence => decodeEvidence(signatureData)

const digestOf = (result: JsonObject) =>
  (result.aggregation_response as JsonObject).task_response_digest

/** As JSON: integers as text, and hex in lower case, because the specification leaves its case open. */
const comparable = (struct: unknown): unknown =>
  JSON.parse(
    JSON.stringify(struct, (_, value: unknown) =>
      typeof value === 'bigint'
        ? String(value)
        : typeof value === 'string'
          ? value.toLowerCase()
          : value,
    ),
  )

/** The JSON of the aggregate, parsed as the struct of the contract. */
function jsonEvidence(result: JsonObject): Evidence {
  const json = (result.aggregation_response as JsonObject).non_signer_stakes_and_signature
  const big = (value: unknown) => BigInt(value as string)
  const g1 = (point: unknown) => {
    const { X, Y } = point as { X: unknown; Y: unknown }
    return { X: big(X), Y: big(Y) }
  }
  const pair = (list: unknown) =>
    (list as unknown[]).map(big) as unknown as readonly [bigint, bigint]
  const view = json as Record<string, unknown>
  const key = view.apkG2 as { X: unknown; Y: unknown }
  return {
    nonSignerQuorumBitmapIndices: view.nonSignerQuorumBitmapIndices as number[],
    nonSignerPubkeys: (view.nonSignerPubkeys as unknown[]).map(g1),
    quorumApks: (view.quorumApks as unknown[]).map(g1),
    apkG2: { X: pair(key.X), Y: pair(key.Y) },
    sigma: g1(view.sigma),
    quorumApkIndices: view.quorumApkIndices as number[],
    totalStakeIndices: view.totalStakeIndices as number[],
    nonSignerStakeIndices: view.nonSignerStakeIndices as number[][],
  }
}

/** Where it is, in the response or at the top level, is open. */
function expectSameSignature(result: JsonObject, { signatureData }: Attestation): void {
  const response = result.task_response as JsonObject
  const given = response.signature_data ?? result.signature_data
  expectEqual(given, signatureData, 'signature_data compared with the calldata')
}

export const aggregation: readonly Check[] = [
  {
    // 2.5-13: validate_calldata is ABI-encoded calldata of validateAttestationDirect.
    // 2.5-19: signature_data holds bytes to pass to the contract as they are.
    // 1-05: A contract can verify the attestation on chain.
    // 4.2-18: include_validate_calldata is optional, boolean, and false by default.
    id: 'chain.attestation.allowed',
    title: 'validate_calldata, sent by the client, is accepted by the contract and allows',
    clauses: ['2.5-13', '2.5-19', '1-05', '4.2-18'],
    level: 'must',
    needs,
    run: async (t) => {
      const { attestation } = await sharedAttestation(t)
      await expectDecision(t, attestation, true)
    },
  },
  {
    // 2.5-13: validate_calldata is ABI-encoded calldata of validateAttestationDirect.
    // 4.2-25: A policy that denies still gives a signed task: the decision is in the result.
    // 1-05: A contract can verify the attestation on chain.
    id: 'chain.attestation.denied',
    title: 'the attestation of a denied intent is accepted by the contract and denies',
    clauses: ['2.5-13', '4.2-25', '1-05'],
    level: 'must',
    needs,
    twin: 'the attestation of an allowed intent',
    run: async (t) => {
      await t.twin(async () => expectDecision(t, (await sharedAttestation(t)).attestation, true))
      const params = taskParams(t)
      const intent = { ...params.intent, to: '0x90f79bf6eb2c4f870365e785982e1f101e93b906' }
      const { attestation } = await freshAttestation(t, { intent })
      await expectDecision(t, attestation, false)
    },
  },
  {
    // 2.5-04: aggregation_response holds task_response_digest and non_signer_stakes_and_signature.
    // 1-04: Operators sign the result and the signatures are aggregated into one BLS attestation.
    id: 'chain.attestation.digest',
    title: 'task_response_digest is the hash of the response, recomputed from the JSON',
    clauses: ['2.5-04', '1-04'],
    level: 'must',
    needs,
    run: async (t) => {
      const { result, attestation } = await sharedAttestation(t)
      expectEqual(
        digestOf(result),
        responseDigest(responseOfResult(result)),
        'the digest of the JSON',
      )
      expectEqual(
        digestOf(result),
        responseDigest(attestation.response),
        'the digest of the calldata',
      )
    },
  },
  {
    // 2.5-27: The aggregate signature in the result verifies against the keys of the operators that
    //   signed.
    // 1-04: Operators sign the result and the signatures are aggregated into one BLS attestation.
    // 2.5-04: aggregation_response holds task_response_digest and non_signer_stakes_and_signature.
    id: 'chain.attestation.signature',
    title: 'the aggregate signature verifies by pairing, independently of gateway and chain',
    clauses: ['2.5-27', '1-04', '2.5-04'],
    level: 'must',
    needs,
    run: async (t) => {
      const { result, attestation } = await sharedAttestation(t)
      const facts = verifyAggregate(digestOf(result) as Hex, evidenceOf(attestation))
      expectEqual(facts, { keysAgree: true, signatureHolds: true }, 'the aggregate')
    },
  },
  {
    // 2.5-27: The aggregate signature in the result verifies against the keys of the operators that
    //   signed.
    id: 'chain.attestation.signature-other-digest',
    title: 'the aggregate signature does not verify for another digest',
    clauses: ['2.5-27'],
    level: 'must',
    needs,
    twin: 'the same signature for its own digest',
    run: async (t) => {
      const { result, attestation } = await sharedAttestation(t)
      const evidence = evidenceOf(attestation)
      await t.twin(async () =>
        expectEqual(
          verifyAggregate(digestOf(result) as Hex, evidence).signatureHolds,
          true,
          'its own',
        ),
      )
      const other = keccak256(toHex('another response'))
      expectEqual(verifyAggregate(other, evidence).signatureHolds, false, 'another digest')
    },
  },
  {
    // 2.5-04: aggregation_response holds task_response_digest and non_signer_stakes_and_signature.
    // 2.5-19: signature_data holds bytes to pass to the contract as they are.
    // 2.5-13: validate_calldata is ABI-encoded calldata of validateAttestationDirect.
    id: 'chain.attestation.same-everywhere',
    title: 'the JSON of the aggregate, signature_data and the calldata contain the same evidence',
    clauses: ['2.5-04', '2.5-19', '2.5-13'],
    level: 'must',
    needs,
    run: async (t) => {
      const { result, attestation } = await sharedAttestation(t)
      expectEqual(
        encodeEvidence(jsonEvidence(result)),
        attestation.signatureData,
        'the JSON compared with the calldata',
      )
      expectSameSignature(result, attestation)
    },
  },
  {
    // 2.5-05: task has taskId, policyClient, nonce, taskCreatedBlock and quorumThresholdPercentage.
    // 2.5-06: task has intent, intentSignature, wasmArgs and quorumNumbers.
    // 2.5-07: task_response has task_id, policy_client, policy_id and policy_address.
    // 2.5-08: task_response has intent, intent_signature and policy_task_data.
    // 2.5-10: task_response.policy_config contains expireAfter.
    // 2.5-13: validate_calldata is ABI-encoded calldata of validateAttestationDirect.
    // 2.2-11: The intent in a task result is the intent that was sent.
    // 2.4-01: policyId of policy_task_data is 32 bytes as hex.
    // 2.4-02: policyAddress of policy_task_data is an address.
    // 2.4-03: policy of policy_task_data is bytes as hex and may be 0x.
    id: 'chain.attestation.same-task',
    title: 'task and task_response are those that the calldata contains, member by member',
    clauses: [
      '2.5-05',
      '2.5-06',
      '2.5-07',
      '2.5-08',
      '2.5-10',
      '2.5-13',
      '2.2-11',
      '2.4-01',
      '2.4-02',
      '2.4-03',
    ],
    level: 'must',
    needs,
    run: async (t) => {
      // Numbers of the request must not show up in other members.
      const asked = { quorum_threshold_percentage: 70, timeout: 25 }
      for (const { result, attestation } of [
        await sharedAttestation(t),
        await freshAttestation(t, asked),
      ]) {
        const { task, response } = attestation
        expectEqual(comparable(taskOfResult(result)), comparable(task), 'task')
        expectEqual(comparable(responseOfResult(result)), comparable(response), 'task_response')
      }
    },
  },
  {
    // 2.4-04: policyData of policy_task_data is an array of entries.
    // 2.4-05: An entry’s wasmArgs is bytes as hex.
    // 2.4-06: An entry’s data is the pre-fetched output as hex bytes, and is what the policy sees.
    // 2.4-07: An entry’s attestation is bytes as hex.
    // 2.4-08: An entry’s policyDataAddress is an address.
    // 2.4-09: An entry’s expireBlock is a uint32.
    // 2.5-08: task_response has intent, intent_signature and policy_task_data.
    id: 'chain.attestation.same-oracle-data',
    title: 'policy_task_data has the entry of the oracle that the calldata contains',
    clauses: ['2.4-04', '2.4-05', '2.4-06', '2.4-07', '2.4-08', '2.4-09', '2.5-08'],
    level: 'must',
    profiles: ['tasks'],
    needs: [...needs, 'fixture-host', `client:${fixture.priced}`],
    run: async (t) => {
      const asked = { wasm_args: wasmArgs(t, fixture.priced) }
      const { result, attestation } = await freshAttestation(t, asked, fixture.priced)
      const { policy_task_data } = result.task_response as JsonObject
      const { policyData } = policy_task_data as JsonObject
      expectThat(Array.isArray(policyData), 'policyData', 'an array', policyData)
      for (const entry of policyData as readonly unknown[])
        expectShape(
          entry,
          {
            wasmArgs: shape.data,
            data: shape.data,
            attestation: shape.data,
            policyDataAddress: shape.address,
            expireBlock: shape.count,
          },
          'policyData[]',
        )
      // Whether the calldata keeps the attestation of the data is not specified.
      const without = ({ policyTaskData }: TaskResponse) =>
        policyTaskData.policyData.map((entry) => ({ ...entry, attestation: '' }))
      expectEqual(
        comparable(without(responseOfResult(result))),
        comparable(without(attestation.response)),
        'policyData compared with the calldata',
      )
    },
  },
  {
    // 2.5-01: task_id is 32 bytes as Data.
    // 2.5-20: The same task id appears in the result, in task and in task_response.
    id: 'chain.attestation.task-id',
    title: 'the task id is the hash of chain, client, intent and nonce',
    clauses: ['2.5-01', '2.5-20'],
    level: 'must',
    needs,
    run: async (t) => {
      const { task, response } = (await sharedAttestation(t)).attestation
      const expected = keccak256(
        encodeAbiParameters(
          [{ type: 'uint256' }, { type: 'address' }, { type: 'bytes32' }, { type: 'uint32' }],
          [BigInt(chainIdOf(t)), task.policyClient, intentHash(task.intent), task.nonce],
        ),
      )
      // The formula is open: only the agreement of both places is required.
      expectEqual(response.taskId, task.taskId, 'the task id of the response')
      t.observe(
        `task id by the formula of the reference implementation: ${expected === task.taskId}`,
      )
    },
  },
  {
    // 1-04: Operators sign the result and the signatures are aggregated into one BLS attestation.
    // 2.5-04: aggregation_response holds task_response_digest and non_signer_stakes_and_signature.
    id: 'chain.attestation.all-signed',
    title: 'with every operator running there is no non-signer',
    clauses: ['1-04', '2.5-04'],
    level: 'must',
    needs: [...needs, 'operator-control', 'operators'],
    exclusive: true,
    run: async (t) => {
      const { attestation } = await freshAttestation(t, { quorum_threshold_percentage: 100 })
      expectEqual(evidenceOf(attestation).nonSignerPubkeys, [], 'the non-signers')
    },
  },
  {
    // 2.5-27: The aggregate signature in the result verifies against the keys of the operators that
    //   signed.
    // 2.5-19: signature_data holds bytes to pass to the contract as they are.
    // 7.5-07: On chain the signers are checked against the quorum.
    // 1-04: Operators sign the result and the signatures are aggregated into one BLS attestation.
    // 2.5-04: aggregation_response holds task_response_digest and non_signer_stakes_and_signature.
    id: 'chain.attestation.non-signer',
    title: 'a stopped operator is the non-signer; signature and contract agree',
    clauses: ['2.5-27', '2.5-19', '7.5-07', '1-04', '2.5-04'],
    level: 'must',
    needs: [...needs, 'operator-control', 'operators'],
    exclusive: true,
    run: async (t) => {
      const operators = t.target.operators ?? []
      const stopped = operators.length - 1
      await withStopped(t, [stopped], async () => {
        const { attestation, result } = await freshAttestation(t, {
          quorum_threshold_percentage: 1,
        })
        const evidence = jsonEvidence(result)
        expectThat(
          evidence.nonSignerPubkeys.length === 1,
          'the number of non-signers',
          1,
          evidence.nonSignerPubkeys.length,
        )
        expectEqual(
          operatorIdOf(evidence.nonSignerPubkeys[0]!),
          operators[stopped]!.id,
          'the non-signer',
        )
        const facts = verifyAggregate(digestOf(result) as Hex, evidence)
        expectEqual(facts, { keysAgree: true, signatureHolds: true }, 'the aggregate')
        expectEqual(
          encodeEvidence(evidence),
          attestation.signatureData,
          'the JSON compared with the calldata',
        )
        expectSameSignature(result, attestation)
        // Only the contract verifies the indices of the non-signer.
        await expectDecision(t, attestation, true)
      })
    },
  },
]
