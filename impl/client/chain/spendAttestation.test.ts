import {
  createWalletClient,
  custom,
  defineChain,
  encodeAbiParameters,
  encodeEventTopics,
  getAddress,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { policyClientAbi } from '../generated/contractAbis.ts'
import type { Hex } from '../hex.ts'
import type { TaskSuccess } from '../tasks/taskOutcome.ts'
import { spendAttestation } from './spendAttestation.ts'

const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const from = account.address.toLowerCase() as Hex
const hashOf = (byte: string): Hex => `0x${byte.repeat(32)}`
const policyClient = getAddress(`0x${'ab'.repeat(20)}`)
const target: Hex = `0x${'cd'.repeat(20)}`
const taskId: Hex = `0x${'Ee'.repeat(32)}`
const [sent, mined] = [hashOf('a1'), hashOf('a2')]

const intent = {
  from,
  to: target,
  value: '0x0',
  data: '0x',
  chainId: '0x5',
  functionSignature: '0x',
}
const policyTaskData = {
  policyId: hashOf('00'),
  policyAddress: target,
  policy: '0x',
  policyData: [],
}
const result = {
  status: 'success',
  task_id: taskId,
  reference_block: 1,
  expiration: 1_000,
  signature_data: '0x',
  task: {
    taskId,
    policyClient,
    nonce: 0,
    taskCreatedBlock: 1,
    quorumThresholdPercentage: 66,
    intent,
    intentSignature: '0x',
    wasmArgs: '0x',
    quorumNumbers: '0x00',
  },
  task_response: {
    task_id: taskId,
    policy_client: policyClient,
    policy_id: hashOf('00'),
    policy_address: target,
    intent,
    intent_signature: '0x',
    evaluation_result: [...Array.from({ length: 31 }, () => 0), 1],
    policy_task_data: policyTaskData,
    policy_config: { policyParams: '0x', expireAfter: 10 },
  },
} as unknown as TaskSuccess

const log = (address: Hex, id: Hex, returned: Hex) => ({
  address,
  topics: encodeEventTopics({
    abi: policyClientAbi,
    eventName: 'IntentExecuted',
    args: { taskId: id },
  }),
  data: encodeAbiParameters([{ type: 'bytes' }], [returned]),
  blockNumber: '0x3',
  logIndex: '0x0',
})

type Mined = { readonly to?: Hex; readonly input?: Hex; readonly logs?: readonly object[] }

/** A wallet on a chain that mines another transaction instead, or the sent one. */
function walletOn(hash: Hex, { to = policyClient, input = '0x01', logs = [] }: Mined) {
  const transaction = { from, nonce: '0x7', value: '0x0', type: '0x0', blockNumber: null }
  const answers: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_chainId: () => '0x5',
    eth_getCode: () => '0x00',
    eth_blockNumber: () => '0x3',
    eth_sendRawTransaction: () => sent,
    eth_getTransactionReceipt: ([asked]) =>
      asked === hash
        ? { transactionHash: hash, status: '0x1', type: '0x0', blockNumber: '0x3', logs }
        : null,
    eth_getTransactionByHash: () => ({
      ...transaction,
      hash: sent,
      to: policyClient,
      input: '0x01',
    }),
    eth_getBlockByNumber: () => ({
      number: '0x3',
      transactions: [{ ...transaction, hash, to, input, blockNumber: '0x3' }],
    }),
    eth_getTransactionCount: () => '0x7',
    eth_gasPrice: () => '0x1',
    eth_maxPriorityFeePerGas: () => '0x1',
  }
  const chain = defineChain({
    id: 5,
    name: 'scripted',
    nativeCurrency: { name: 'E', symbol: 'E', decimals: 18 },
    rpcUrls: { default: { http: [] } },
    fees: { estimateFeesPerGas: async () => ({ maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }) },
  })
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    const answer = answers[method]
    if (answer === undefined) throw new Error(`unexpected ${method}`)
    return answer((params ?? []) as readonly unknown[])
  }
  const transport = custom({ request }, { retryCount: 0 })
  return createWalletClient({ account, chain, transport, pollingInterval: 10 })
}

const spend = (walletClient: ReturnType<typeof walletOn>) =>
  spendAttestation({ walletClient, result, gas: 100_000n, timeoutMs: 20_000 })

describe('a transaction that the wallet', () => {
  it.each([
    ['cancelled', { to: from, input: '0x' }],
    ['replaced', { to: zeroAddress, input: '0x02' }],
  ] as const)('has %s did not spend the attestation', async (reason, other) => {
    const error = await spend(walletOn(mined, other)).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'NOT_SPENDABLE',
      shortMessage: expect.stringContaining(reason),
      metaMessages: expect.arrayContaining([`Transaction: ${sent}`, `Replaced by: ${mined}`]),
    })
  })

  it('has repriced is known by the hash that was mined', async () => {
    expect(await spend(walletOn(mined, {}))).toMatchObject({ hash: mined, executed: undefined })
  })
})

describe('what the intent returned', () => {
  const foreign = [log(target, taskId, '0xbad1'), log(policyClient, hashOf('11'), '0xbad2')]

  it('is told by the policy client, about the task', async () => {
    const own = log(policyClient.toLowerCase() as Hex, taskId.toLowerCase() as Hex, '0x600d')
    const spent = await spend(walletOn(sent, { logs: [...foreign, own] }))
    expect(spent).toMatchObject({ hash: sent, executed: true, returned: '0x600d' })
  })

  it('is nothing if others emit the event', async () => {
    const spent = await spend(walletOn(sent, { logs: foreign }))
    expect(spent).toMatchObject({ executed: undefined, returned: '0x' })
  })
})
