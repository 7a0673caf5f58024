import { spendAttestation, type TaskSuccess, taskDecision } from 'polgate-client'
import type { TaskIntent } from 'polgate-client/generated/rpcTypes.ts'
import type { DevAccount } from 'polgate-protocol/control/accounts.ts'
import { createWalletClient, custom, defineChain } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { chainClient, chainRpc } from '../../data/chain.ts'
import { serviceClient } from '../../data/service.ts'
import { target } from '../../data/target.ts'

export type Method = 'createTask' | 'sendTask' | 'simulateTask'
type Hex = `0x${string}`

export type Submission = {
  readonly method: Method
  readonly policyClient: Hex
  readonly intent: TaskIntent
  readonly wasmArgs: Hex | undefined
  /** Signs the intent; undefined: the task has no signature. */
  readonly signer: DevAccount | undefined
}

export type Submitted = {
  /** Absent for a simulation. */
  readonly taskId: Hex | undefined
  readonly allow: boolean
  readonly value: unknown
  /** What `spend` takes; absent for a simulation. */
  readonly result: TaskSuccess | undefined
}

/**
 * Submits the task and waits for its decision.
 *
 * @param onStatus is called with what happens meanwhile
 * @throws ClientError of the SDK
 */
export async function submitTask(
  { method, policyClient, intent, wasmArgs, signer }: Submission,
  onStatus: (text: string, taskId?: Hex) => void,
): Promise<Submitted> {
  const client = serviceClient()
  const signature =
    signer?.privateKey === undefined
      ? undefined
      : await client.signIntent({
          ...{ intent, policyClient, publicClient: chainClient() },
          account: privateKeyToAccount(signer.privateKey),
        })
  const params = {
    ...{ policy_client: policyClient, intent },
    ...(signature === undefined ? {} : { intent_signature: signature }),
    ...(wasmArgs === undefined ? {} : { wasm_args: wasmArgs }),
  }
  if (method === 'simulateTask') {
    onStatus('simulating')
    const { result } = await client.simulateTask(params)
    return { taskId: undefined, allow: result.allow === true, value: result, result: undefined }
  }
  if (method === 'createTask') {
    onStatus('operators evaluate it')
    const result = await client.createTask(params)
    return { ...taskDecision(result), taskId: result.task_id, result }
  }
  onStatus('sending')
  const result = await client.runTask(params, {
    onTask: (taskId) => onStatus('sent, operators evaluate it', taskId),
  })
  return { ...taskDecision(result), taskId: result.task_id, result }
}

/** Spends the attestation of a task as its sender. @returns the transaction. @throws ClientError */
export async function spendTask(result: TaskSuccess, { privateKey }: DevAccount): Promise<Hex> {
  if (privateKey === undefined) throw new Error('the key of the sender is not known here')
  const { chainId = 0 } = target()
  const chain = defineChain({
    ...{ id: chainId, name: 'local', rpcUrls: { default: { http: [] } } },
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  })
  const transport = custom(
    { request: ({ method, params }) => chainRpc(method, params) },
    { retryCount: 0 },
  )
  const walletClient = createWalletClient({
    ...{ account: privateKeyToAccount(privateKey), chain, transport, pollingInterval: 300 },
  })
  const { hash } = await spendAttestation({ walletClient, result })
  return hash
}
