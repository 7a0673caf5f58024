import { devPrivateKeys } from 'polgate-chain/accounts.ts'
import type { Hex } from 'viem'
import { hashTypedData, recoverTypedDataAddress, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Intent } from '../arbitraries/intent.ts'
import type { Check } from '../core/check.ts'
import { Untestable } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, isObject } from '../core/expect.ts'
import { decisionOf, responseOfResult } from '../crypto/attestation.ts'
import { expectHex } from '../kit/assertions/hex.ts'
import { fixture, policyOfClient } from '../kit/scenarios/fixtures.ts'
import {
  approvalMessage,
  domainOf,
  readDomain,
  typedIntent,
} from '../kit/scenarios/intentSignature.ts'
import {
  acceptedTask,
  chainIdOf,
  createTask,
  expectFailure,
  expectTask,
  failureOf,
  resultOf,
  taskParams,
  transferIntent,
} from '../kit/scenarios/requests.ts'
import { evaluate, policyOf } from '../kit/scenarios/simulation.ts'
import { createTaskSubject } from '../kit/scenarios/subjects.ts'

/** Sections 4.2 and 5.4: the signature of the exact intent. */
const needs = createTaskSubject.needs
const signedNeeds = [...needs, `client:${fixture.signed}`] as const

function signer(t: CheckContext) {
  const key = t.target.accounts?.sender?.privateKey
  return privateKeyToAccount(key as Hex)
}

const encodingError = /Failed to encode intent signature.*expected exactly 65 bytes/is

const wrongLength = (id: string, signature: string, clause: string): Check => ({
  id,
  title: `an intent_signature of ${(signature.length - 2) / 2} bytes fails with an encoding error naming 65 bytes`,
  clauses: [clause, '7.3-15', '4.2-20'],
  level: 'must',
  needs,
  twin: 'the same task with a signature of 65 bytes',
  run: async (t) => {
    const params = taskParams(t, fixture.simple, { intent_signature: `0x${'5a'.repeat(64)}1b` })
    await t.twin(async () => expectTask(await createTask(t, params)))
    const answer = await createTask(
      t,
      taskParams(t, fixture.simple, { intent_signature: signature }),
    )
    expectFailure(answer, encodingError)
    const result = resultOf(answer)
    // Either an error object, or a failed task without an attestation.
    if (isObject(result))
      expectEqual(result.aggregation_response ?? null, null, 'aggregation_response')
  },
})

/** The decision of a task for the client whose policy uses the signature. */
async function decide(t: CheckContext, change: Record<string, unknown>): Promise<unknown> {
  const result = expectTask(await createTask(t, taskParams(t, fixture.signed, change)))
  return decisionOf(responseOfResult(result).evaluationResult)
}

/** The approver in the fixture's parameters: a development account, identified by its address. */
function approver(t: CheckContext) {
  const [listed] = policyOfClient(t, fixture.signed).params.approvers as readonly Hex[]
  const accounts = devPrivateKeys.map((key) => privateKeyToAccount(key))
  const found = accounts.find(({ address }) => address === listed)
  if (found === undefined) throw new Untestable('the key of the fixture’s approver is unknown')
  return found
}

const signedBy = async (
  account: { signMessage: ReturnType<typeof signer>['signMessage'] },
  intent: Intent,
) => ({
  intent,
  intent_signature: await account.signMessage({ message: approvalMessage(intent) }),
})

export const intentSignature: readonly Check[] = [
  // 4.2-08: An empty intent_signature (0x) fails before evaluation with an encoding error naming
  //   exactly 65 bytes.
  // 7.3-15: The error for an invalid intent signature is "Failed to encode intent signature ...
  //   expected exactly 65 bytes".
  // 4.2-20: A failure has status failed, aggregation_response null, error and timestamp.
  wrongLength('rpc.createTask.intent-signature.empty', '0x', '4.2-08'),
  // 4.2-09: An intent_signature of another length fails in the same way.
  // 7.3-15: The error for an invalid intent signature is "Failed to encode intent signature ...
  //   expected exactly 65 bytes".
  // 4.2-20: A failure has status failed, aggregation_response null, error and timestamp.
  wrongLength('rpc.createTask.intent-signature.64-bytes', `0x${'5a'.repeat(64)}`, '4.2-09'),
  wrongLength('rpc.createTask.intent-signature.66-bytes', `0x${'5a'.repeat(66)}`, '4.2-09'),
  wrongLength('rpc.createTask.intent-signature.1-byte', '0x5a', '4.2-09'),
  {
    // 5.4-01: The EIP-712 signature of the exact intent is passed as intent_signature.
    // 4.2-06: intent_signature is the EIP-712 signature of the exact intent, and reaches the
    //   policy.
    // 1-22: input.intent_signature is there for a policy that consumes it, when the caller sent
    //   one.
    id: 'rpc.createTask.intent-signature.approved',
    title: 'a policy that uses the signature allows with that of a listed approver',
    clauses: ['5.4-01', '4.2-06', '1-22'],
    level: 'must',
    needs: signedNeeds,
    run: async (t) => {
      const params = await signedBy(approver(t), transferIntent(t))
      expectEqual(await decide(t, params), true, 'the decision')
    },
  },
  {
    // 4.2-06: intent_signature is the EIP-712 signature of the exact intent, and reaches the
    //   policy.
    // 4.2-07: A policy that consumes input.intent_signature denies without it.
    // 1-22: input.intent_signature is there for a policy that consumes it, when the caller sent
    //   one.
    // 5.4-01: The EIP-712 signature of the exact intent is passed as intent_signature.
    id: 'rpc.createTask.intent-signature.consumed',
    title: 'a policy that uses the signature allows with it and denies without it',
    clauses: ['4.2-06', '4.2-07', '1-22', '5.4-01'],
    level: 'must',
    needs: signedNeeds,
    twin: 'the same intent with the signature',
    run: async (t) => {
      const params = await signedBy(approver(t), transferIntent(t))
      await t.twin(async () => expectEqual(await decide(t, params), true, 'the decision with it'))
      const answer = await createTask(
        t,
        taskParams(t, fixture.signed, { intent: transferIntent(t) }),
      )
      // Either a signed denial, or a task that fails for this reason.
      if (failureOf(answer) === undefined)
        expectEqual(
          decisionOf(responseOfResult(expectTask(answer)).evaluationResult),
          false,
          'the decision without it',
        )
      else expectFailure(answer, /signature/i)
    },
  },
  {
    // 4.2-06: intent_signature is the EIP-712 signature of the exact intent, and reaches the
    //   policy.
    id: 'rpc.createTask.intent-signature.another-intent',
    title: 'a signature of another intent does not count',
    clauses: ['4.2-06'],
    level: 'must',
    needs: signedNeeds,
    twin: 'the intent that was signed',
    run: async (t) => {
      const params = await signedBy(approver(t), transferIntent(t))
      await t.twin(async () => expectEqual(await decide(t, params), true, 'the decision'))
      const other = { ...params, intent: transferIntent(t) }
      expectEqual(await decide(t, other), false, 'the decision for another intent')
    },
  },
  {
    // 4.2-29: The policy can tell a signature by another account from one by the intent’s sender.
    id: 'rpc.createTask.intent-signature.another-signer',
    title: 'a signature by another account is not accepted',
    clauses: ['4.2-29'],
    level: 'must',
    needs: signedNeeds,
    twin: 'the same intent signed by the approver',
    run: async (t) => {
      const params = await signedBy(approver(t), transferIntent(t))
      await t.twin(async () => expectEqual(await decide(t, params), true, 'the decision'))
      const bySender = await signedBy(signer(t), transferIntent(t))
      expectEqual(await decide(t, bySender), false, 'the decision')
      const nobody = privateKeyToAccount(toHex(0xbad5eedn, { size: 32 }))
      const byNobody = await signedBy(nobody, transferIntent(t))
      expectEqual(await decide(t, byNobody), false, 'the decision')
    },
  },
  ...[
    {
      // 4.2-22: The signing domain (name, version, chainId, verifyingContract) is read from
      //   eip712Domain() of the client where it exposes one (EIP-5267).
      // 4.2-21: The signed typed data has the primary type Intent: address from, address to,
      //   uint256 value, bytes data, uint256 chainId, bytes functionSignature, in this order.
      // 1-19: The built-in service.crypto.ecdsa_recover_signer returns the signer of a raw 32-byte
      //   hash.
      // 4.8-10: intent_signature is optional and is what the policy reads as
      //   input.intent_signature.
      id: 'rpc.intent-signature.typed-data.domain-exposed',
      clause: '4.2-22',
      client: fixture.simple,
      exposed: true,
    },
    {
      // 4.2-23: Where the client exposes no domain, name and version are the arguments of its
      //   EIP-712 constructor and verifyingContract is the client.
      // 4.2-21: The signed typed data has the primary type Intent: address from, address to,
      //   uint256 value, bytes data, uint256 chainId, bytes functionSignature, in this order.
      // 1-19: The built-in service.crypto.ecdsa_recover_signer returns the signer of a raw 32-byte
      //   hash.
      // 4.8-10: intent_signature is optional and is what the policy reads as
      //   input.intent_signature.
      id: 'rpc.intent-signature.typed-data.domain-not-exposed',
      clause: '4.2-23',
      client: fixture.multi,
      exposed: false,
    },
  ].map(
    ({ id, clause, client, exposed }): Check => ({
      id,
      title: `the signature over the domain of a client that ${exposed ? 'exposes' : 'does not expose'} it recovers to the sender inside the policy`,
      clauses: [clause, '4.2-21', '1-19', '4.8-10'],
      level: 'must',
      needs: [...needs, `client:${client}`],
      run: async (t) => {
        const domain = exposed ? await readDomain(t, client) : domainOf(t, client)
        // A signature for the domain of another chain or contract is valid there too.
        expectEqual(
          [domain.chainId, domain.verifyingContract?.toLowerCase()],
          [chainIdOf(t), t.client(client).policyClient.toLowerCase()],
          'chain and contract of the domain',
        )
        const intent = transferIntent(t)
        const typed = typedIntent(domain, intent)
        const signature = await signer(t).signTypedData(typed)
        const namespace = t.target.brand.regoNamespace
        const rule = `seen := ${namespace}.crypto.ecdsa_recover_signer(input.intent_signature, "${hashTypedData(typed)}")`
        const seen = await evaluate(t, policyOf('deny := []', rule), {
          policy_client: t.client(client).policyClient,
          intent,
          intent_signature: signature,
          entrypoint: 'policy.seen',
        })
        const expected = await recoverTypedDataAddress({ ...typed, signature })
        expectHex(seen, expected, 'the signer seen by the policy')
      },
    }),
  ),
  {
    // 4.2-06: intent_signature is the EIP-712 signature of the exact intent, and reaches the
    //   policy.
    // 2.5-06: task has intent, intentSignature, wasmArgs and quorumNumbers.
    // 2.5-08: task_response has intent, intent_signature and policy_task_data.
    id: 'rpc.createTask.intent-signature.kept',
    title: 'the sent signature is in task and task_response',
    clauses: ['4.2-06', '2.5-06', '2.5-08'],
    level: 'must',
    needs,
    run: async (t) => {
      const intent = transferIntent(t)
      const signature = await signer(t).signTypedData(
        typedIntent(domainOf(t, fixture.simple), intent),
      )
      const result = expectTask(
        await createTask(t, taskParams(t, fixture.simple, { intent, intent_signature: signature })),
      )
      expectEqual(
        responseOfResult(result).intentSignature,
        signature,
        'task_response.intent_signature',
      )
      expectEqual(
        (result.task as { intentSignature?: unknown }).intentSignature,
        signature,
        'task.intentSignature',
      )
      const without = await acceptedTask(t)
      expectEqual(
        responseOfResult(without.result).intentSignature,
        '0x',
        'the signature of a task without',
      )
    },
  },
]
