import type { OnChainAnswer } from 'polgate-chain/tasks.ts'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { privateKeyToAccount } from 'viem/accounts'
import type { BlsKey } from '../../attestation/bls.ts'
import { operatorsOf } from '../../attestation/testing/operatorSet.ts'
import type { Operator } from '../../operators/operator.ts'
import { verifyingOperator } from '../../operators/verifyingOperator.ts'
import type { Store } from '../../store/openStore.ts'
import { noStopwatch } from '../stopwatch.ts'
import type { TaskChain } from '../taskChain.ts'
import type { LeaseTimes, TaskDeps } from '../taskDeps.ts'
import { createTaskService, type TaskService } from '../taskService.ts'
import { createTaskUpdates, type TaskUpdates } from '../taskUpdates.ts'
import { minimumVersions } from '../versions.ts'
import { honestOperator } from './pipeline.ts'

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as const
const bytes32 = (n: number) => `0x${n.toString(16).padStart(64, '0')}` as const

export type Gateway = {
  readonly id: string
  readonly tasks: TaskService
  readonly updates: TaskUpdates
}

export type GatewayOptions = {
  readonly store: Store
  /** Wraps the shared operators for this gateway. */
  readonly operator?: (operator: Operator) => Operator
  readonly leaseTimes?: LeaseTimes
  readonly postOnChain?: boolean
}

/**
 * Gateways that share operators and a chain with a new block on every read. The operators remember
 * what they signed, and verify what a gateway says against the chain.
 */
export function createGateways(changed: (chain: TaskChain) => TaskChain = (chain) => chain) {
  const { keys, setOf } = operatorsOf('gateways', [
    [10n, undefined],
    [10n, undefined],
    [10n, undefined],
  ])
  const set = setOf([0])
  const taskManager = address(9)
  const chainId = 31_337
  let block = 100
  const posted: OnChainAnswer[] = []

  const clientAt = (policyClient: Address, at: number) => ({
    policyClient,
    blockNumber: at,
    chainId,
    taskManager,
    version: '1.0.0',
    policyId: bytes32(5),
    policyAddress: address(6),
    policyCid: 'bafypolicy',
    schemaCid: '',
    entrypoint: 'policy.allow',
    policyConfig: { policyParams: '{}', expireAfter: 20 },
    policyData: [
      {
        policyDataAddress: address(4),
        wasmCid: 'bafywasm',
        secretsSchemaCid: '',
        expireAfter: 10,
        version: '1.0.0',
        attesters: [],
        digestVersion: 2,
      },
    ],
  })
  const chain = changed({
    chainId,
    taskManager,
    latestBlock: async () => {
      block += 1
      return block
    },
    clientAndOperators: async (policyClient: Address, _: readonly number[], at: number) => {
      block += 1
      return { client: clientAt(policyClient, at), operatorSet: set }
    },
    post: (answers: readonly OnChainAnswer[]) =>
      Promise.allSettled(answers.map(async (answer) => void posted.push(answer))),
  } as unknown as TaskChain)
  const view = {
    chainId,
    taskManager,
    contextAt: async (policyClient: Address, at: number) => clientAt(policyClient, at),
  } as never
  const operators = keys.map((key: BlsKey, at: number) =>
    verifyingOperator(honestOperator(set, at, key), { chain: view, clock: Date.now }),
  )

  async function start(options: GatewayOptions): Promise<Gateway> {
    const { store, operator = (each) => each, leaseTimes } = options
    const id = crypto.randomUUID()
    const updates = createTaskUpdates(() => {})
    const deps: TaskDeps = {
      store,
      gatewayId: id,
      secrets: store.secrets,
      fingerprints: store.fingerprints,
      chain,
      operators: operators.map(operator),
      attester: privateKeyToAccount(bytes32(7)),
      minimumVersions,
      graceMs: 20,
      postOnChain: options.postOnChain ?? false,
      clock: Date.now,
      uuid: () => crypto.randomUUID(),
      stopwatch: noStopwatch,
      updates,
      brand: defaultBrand,
      log: { warn() {}, info() {} },
      ...(leaseTimes && { leaseTimes }),
    }
    return { id, tasks: await createTaskService(deps), updates }
  }

  let value = 0
  return {
    start,
    /** Task ids in the order of their posting. */
    posted,
    chainId,
    /** The latest block. */
    block: () => block,
    caller: { keyId: 'key', owners: [] },
    params: () => {
      value += 1
      return {
        policy_client: address(1),
        intent: {
          from: address(2),
          to: address(3),
          value: `0x${value.toString(16)}` as const,
          data: '0x' as const,
          chain_id: '0x7a69' as const,
          function_signature: '0x' as const,
        },
      }
    },
  }
}
