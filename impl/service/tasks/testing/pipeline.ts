import type { OperatorSet } from 'polgate-chain/operatorSet.ts'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import type { Data } from 'polgate-protocol/scalars.ts'
import { privateKeyToAccount } from 'viem/accounts'
import type { BlsKey } from '../../attestation/bls.ts'
import { responseDigest } from '../../attestation/digest.ts'
import type { DataAnswer, Operator, SignAnswer, SignRequest } from '../../operators/operator.ts'
import { taskResponseOf } from '../../operators/taskResponse.ts'
import { collectSignatures, type Signed } from '../collectSignatures.ts'
import { gatherData } from '../gatherData.ts'
import { openPrivateData } from '../openPrivateData.ts'
import { eligibleOperators } from '../operatorErrors.ts'
import { createOperatorLatency } from '../operatorLatency.ts'
import { createPartialErrors } from '../partialErrors.ts'
import { prepareTask } from '../prepare.ts'
import { stakesOf } from '../stakeRule.ts'
import { noStopwatch } from '../stopwatch.ts'
import type { TaskContext } from '../taskContext.ts'
import type { TaskDeps } from '../taskDeps.ts'
import { TaskFailure, taskTimeout } from '../taskErrors.ts'
import { taskProgress } from '../taskProgress.ts'
import { createTaskUpdates } from '../taskUpdates.ts'

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as const
const bytes32 = (n: number) => `0x${n.toString(16).padStart(64, '0')}` as const

export const honestOutput = '{"feed":{"price":2000,"rate":1.10}}'
export const allow = bytes32(1)

/** An honest operator in the two phases, without policy and oracle. */
export function honestOperator(set: OperatorSet, at: number, key: BlsKey): Operator {
  const unused = () => Promise.reject(new Error('not part of a task'))
  return {
    address: set.operators[at]!.account,
    id: key.operatorId,
    collectData: async (): Promise<DataAnswer> => ({ outputs: [honestOutput], timings: {} }),
    sign: async (request) => signed(request, key, allow),
    evaluate: unused,
    beginOpening: unused,
    checkSecrets: unused,
  }
}

export function signed(request: SignRequest, key: BlsKey, evaluationResult: Data): SignAnswer {
  const response = taskResponseOf(request.draft, request.evaluation.intent, evaluationResult)
  const { X, Y } = key.sign(responseDigest(response))
  return { evaluationResult, signature: { X: hex(X), Y: hex(Y) }, reasons: [], timings: {} }
}

const hex = (value: bigint) => `0x${value.toString(16)}` as const

/** Runs both phases of a task with these operators, with all code that determines the result. */
export async function runPhases(options: {
  readonly set: OperatorSet
  readonly operators: readonly Operator[]
  readonly threshold: number
  readonly graceMs?: number
  /** Default: none. */
  readonly timeoutMs?: number
}): Promise<Signed | TaskFailure> {
  const { set, threshold } = options
  const clock = Date.now
  const attester = privateKeyToAccount(bytes32(7))
  const updates = createTaskUpdates(() => {})
  const log = { warn() {}, info() {} }
  const deps = {
    ...{ clock, attester, updates, log, graceMs: options.graceMs ?? 20 },
    stopwatch: noStopwatch,
    brand: defaultBrand,
  } as unknown as TaskDeps
  const task = prepareTask({
    policy_client: address(1),
    intent: {
      from: address(2),
      to: address(3),
      value: '0x1',
      data: '0x',
      chain_id: '0x7a69',
      function_signature: '0x',
    },
    quorum_threshold_percentage: threshold,
  })
  const { eligible, absent } = eligibleOperators(options.operators, set, clock)
  const source = { policyDataAddress: address(4), wasmCid: 'bafy', wasmArgs: '0x' } as const
  const context = {
    client: {
      blockNumber: 7,
      policyId: bytes32(5),
      policyAddress: address(6),
      policyCid: 'bafypolicy',
      schemaCid: '',
      entrypoint: 'policy.allow',
      policyConfig: { policyParams: '{}', expireAfter: 20 },
      policyData: [
        {
          ...source,
          secretsSchemaCid: '',
          expireAfter: 10,
          version: '1',
          attesters: [],
          digestVersion: 2,
        },
      ],
    },
    operatorSet: set,
    stakes: stakesOf(set, threshold),
    operators: eligible,
    absent,
    sources: [{ ...source, envelope: null }],
  } as unknown as TaskContext
  const limit = new AbortController()
  const { signal } = limit
  const timer = setTimeout(() => limit.abort(taskTimeout()), options.timeoutMs ?? 2 ** 31 - 1)
  const taskId = bytes32(9)
  const phase = {
    ...{ task, context, signal, requester: 'key' },
    news: taskProgress({ updates, clock }, taskId),
    operatorLatency: createOperatorLatency({ clock }),
    witness: createPartialErrors({ clock }),
  }
  try {
    const data = await gatherData(deps, phase)
    const settled = { ...phase, data, taskId, nonce: 0 }
    const opened = await openPrivateData(deps, settled)
    return await collectSignatures(deps, { ...settled, opened, now: clock() })
  } catch (error) {
    if (error instanceof TaskFailure) return error
    throw error
  } finally {
    clearTimeout(timer)
  }
}
