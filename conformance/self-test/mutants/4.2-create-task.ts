import { devPrivateKeys } from 'polgate-chain/accounts.ts'
import { fixture } from 'polgate-conformance/kit/scenarios/fixtures.ts'
import { approvalMessage } from 'polgate-conformance/kit/scenarios/intentSignature.ts'
import { parseExact, stringifyExact } from 'polgate-protocol/exactJson.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import { requireOwner } from 'polgate-service/tasks/ownership.ts'
import type { TaskChain } from 'polgate-service/tasks/taskChain.ts'
import { type Hex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { MarkFired, Mutant } from './mutant.ts'
import { ignoring, taking, taskMethod } from './taskServiceFaults.ts'
import { answeringClient } from './tolerantContract.ts'
import {
  answered,
  changedMember,
  changedResult,
  type Json,
  wrapListener,
} from './wrappedListeners.ts'

const permissionMissing =
  (name: string) =>
  (markFired: MarkFired): ServiceParts =>
    wrapListener('wrapGatewayFetch', async ({ request, method, call }, pass) => {
      const response = await pass(request)
      if (method !== name || response.status !== 200) return response
      markFired()
      const error = { code: -32003, message: 'Insufficient permissions' }
      return answered(response, JSON.stringify({ jsonrpc: '2.0', error, id: call.id }), 403)
    })()

/** The approvers of the fixture whose policy uses signatures are development accounts. */
const approver = privateKeyToAccount(devPrivateKeys[2])

/** Operators that get an approval instead of some signatures. */
const approving =
  (when: (signature: Hex | undefined) => boolean) =>
  (markFired: MarkFired): ServiceParts => ({
    operatorTools: (tools) => ({
      ...tools,
      evaluator: {
        ...tools.evaluator,
        async evaluate(evaluation, signal) {
          const input = parseExact(evaluation.input) as Json
          if (!when(input.intent_signature)) return tools.evaluator.evaluate(evaluation, signal)
          markFired()
          const { from, to, data, function_signature } = input
          const message = approvalMessage({
            ...{ from, to, data, function_signature },
            value: toHex(BigInt(String(input.value))),
            chain_id: toHex(BigInt(String(input.chain_id))),
          })
          const intent_signature = await approver.signMessage({ message })
          const seen = stringifyExact({ ...input, intent_signature })
          return tools.evaluator.evaluate({ ...evaluation, input: seen }, signal)
        },
      },
    }),
  })

const inFailure = (change: (result: Json) => Json) =>
  changedResult('createTask', (result) => (result.status === 'success' ? result : change(result)))

/** `eip712Domain()`, and the offset of the chain id in its result. */
const domainSelector = '0x84b0196e'
const chainIdWord = 3

/** Faults of createTask (sections 4.2 and 5.4). */
export const createTaskMutants: readonly Mutant[] = [
  {
    id: 'task.create-wants-write',
    fault: 'does not let a key with RpcRead create tasks',
    clauses: ['4.2-01'],
    parts: permissionMissing('createTask'),
  },
  {
    id: 'task.answers-before-aggregation',
    fault: 'answers createTask before the signatures are aggregated',
    clauses: ['4.2-02'],
    parts: taskMethod('createTask', ({ tasks, markFired }) => async (params, caller) => {
      const { timeout: _, include_validate_calldata: __, ...sent } = params
      const { task_id, timestamp } = await tasks.sendTask(sent, caller)
      markFired()
      return { task_id, status: 'pending', aggregation_response: null, timestamp }
    }),
  },
  {
    id: 'task.stake-by-heads',
    fault: 'applies the threshold to the number of operators instead of stake',
    clauses: ['4.2-13'],
    parts: (markFired) => ({
      chain: (chain) => ({
        ...chain,
        async clientAndOperators(...given) {
          const read = await chain.clientAndOperators(...given)
          const { operators, quorums } = read.operatorSet
          markFired()
          const operatorSet = {
            ...read.operatorSet,
            operators: operators.map((operator) => ({
              ...operator,
              stakes: operator.stakes.map((stake) => (stake > 0n ? 1n : 0n)),
            })),
            quorums: quorums.map((quorum, at) => ({
              ...quorum,
              totalStake: BigInt(operators.filter(({ stakes }) => stakes[at]! > 0n).length),
            })),
          }
          return { ...read, operatorSet }
        },
      }),
    }),
  },
  {
    id: 'task.threshold-one-too-low',
    fault: 'accepts one percent less than the threshold',
    clauses: ['4.2-13'],
    parts: taking((params) => {
      const threshold = params.quorum_threshold_percentage ?? 0
      return threshold > 0 ? { ...params, quorum_threshold_percentage: threshold - 1 } : params
    }),
  },
  {
    id: 'task.timeout-ignored',
    fault: 'does not end a call at its timeout',
    clauses: ['4.2-15', '3-05'],
    parts: ignoring('timeout'),
  },
  {
    id: 'task.timeout-milliseconds',
    fault: 'treats the timeout as milliseconds',
    clauses: ['4.2-15'],
    parts: taking((params) =>
      params.timeout === undefined ? params : { ...params, timeout: params.timeout / 1000 },
    ),
  },
  {
    id: 'task.default-timeout-3s',
    fault: 'ends a call without a timeout after three seconds',
    clauses: ['4.2-16'],
    parts: changedMember('createTask', 'timeout', (timeout) => timeout ?? 3),
  },
  {
    id: 'task.reference-block-left-out',
    fault: 'returns a success without its reference block',
    clauses: ['4.2-19'],
    parts: changedResult('createTask', ({ reference_block: _, ...result }) => result),
  },
  {
    id: 'task.failure-without-timestamp',
    fault: 'returns a failure without a timestamp',
    clauses: ['4.2-20'],
    parts: inFailure(({ timestamp: _, ...result }) => result),
  },
  {
    id: 'task.failure-without-error',
    fault: 'returns a failure without its error',
    clauses: ['4.2-20'],
    parts: inFailure(({ error: _, ...result }) => result),
  },
  {
    id: 'task.denial-fails',
    fault: 'ends a task that the policy denies as failed, without a signature',
    clauses: ['4.2-25'],
    parts: changedResult('createTask', (result) => {
      const word: readonly number[] = result.task_response?.evaluation_result ?? [1]
      if (word.some((byte) => byte !== 0)) return result
      const { task_id, timestamp } = result
      const error = 'policy evaluation result: denied'
      return { task_id, status: 'failed', aggregation_response: null, error, timestamp }
    }),
  },
  {
    id: 'task.create-wants-owner',
    fault: 'lets only the owner’s key create tasks for a client',
    clauses: ['4.2-31'],
    parts: (markFired) => {
      let chain: TaskChain
      return {
        chain(given) {
          chain = given
          return given
        },
        tasks: (tasks) => ({
          ...tasks,
          async createTask(params, caller) {
            const ownership = await chain.owner(params.policy_client)
            if (caller.owners.includes(ownership.owner.toLowerCase() as Address))
              return tasks.createTask(params, caller)
            markFired()
            requireOwner(caller, params.policy_client, ownership)
            throw new Error('the key is the owner’s')
          },
        }),
      }
    },
  },
  {
    id: 'intent.empty-signature-taken',
    fault: 'treats an empty intent_signature as absent',
    clauses: ['4.2-08'],
    parts: changedMember('*', 'intent_signature', (value) => (value === '0x' ? undefined : value)),
  },
  {
    id: 'intent.short-signature-padded',
    fault: 'accepts an intent_signature of 64 bytes, padded',
    clauses: ['4.2-09'],
    parts: changedMember('*', 'intent_signature', (value) =>
      /^0x[0-9a-f]{128}$/i.test(value) ? `${value}1b` : value,
    ),
  },
  {
    id: 'intent.signature-error-unexplained',
    fault: 'does not mention that an intent signature has exactly 65 bytes',
    clauses: ['4.2-08', '4.2-09'],
    parts: inFailure((result) =>
      /65 bytes/.test(result.error) ? { ...result, error: 'Invalid signature' } : result,
    ),
  },
  {
    id: 'intent.signer-not-recovered',
    fault: 'treats any signature as the approver’s',
    clauses: ['4.2-29'],
    parts: approving((signature) => signature !== undefined && signature !== null),
  },
  {
    id: 'intent.absent-signature-approves',
    fault: 'treats a task without a signature as approved',
    clauses: ['4.2-07'],
    parts: approving((signature) => signature === undefined || signature === null),
  },
  {
    id: 'intent.signature-parity-changed',
    fault: 'passes signatures to policies with the other recovery id',
    clauses: ['4.2-21', '4.2-22', '4.2-23', '5.4-01'],
    parts: changedMember('*', 'intent_signature', (value) =>
      /^0x[0-9a-f]{128}1[bc]$/i.test(value)
        ? `${value.slice(0, -1)}${/b$/i.test(value) ? 'c' : 'b'}`
        : value,
    ),
  },
  {
    id: 'intent.domain-of-another-chain',
    fault: 'has a policy client that exposes the domain of another chain',
    clauses: ['4.2-22'],
    around: answeringClient(fixture.simple, domainSelector, (data) => {
      const at = 2 + 64 * chainIdWord
      return `0x${data.slice(2, at)}${'1'.padStart(64, '0')}${data.slice(at + 64)}`
    }),
  },
]
