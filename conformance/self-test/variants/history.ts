import { policyFactoryAbi, taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import type { Target } from 'polgate-conformance/core/target.ts'
import { taskIdOf } from 'polgate-conformance/crypto/taskId.ts'
import { chainCall } from 'polgate-conformance/targets/chainCall.ts'
import type { PreparedTarget } from 'polgate-conformance/targets/target.ts'
import { decodeFunctionResult, encodeEventTopics, encodeFunctionData, type Hex, toHex } from 'viem'
import type { Variant } from './variant.ts'

/** More than the suite reads whole of a list. */
const entries = 2_500
/** Transactions of a block. */
const atOnce = 50

const poster: Hex = '0x0dd50dd50dd50dd50dd50dd50dd50dd50dd50dd5'
const client: Hex = '0xc11e0c11e0c11e0c11e0c11e0c11e0c11e0c11e0'
const gas = toHex(500_000)

const deployed = encodeEventTopics({ abi: policyFactoryAbi, eventName: 'PolicyDeployed' })

function newTask(chainId: number, nonce: number, taskCreatedBlock: number): Hex {
  const intent = {
    ...({ from: poster, to: client, value: 1n, data: '0x', functionSignature: '0x' } as const),
    chainId: BigInt(chainId),
  }
  const taskId = taskIdOf({ chainId, policyClient: client, intent, nonce, taskCreatedBlock })
  const task = {
    ...{ taskId, policyClient: client, nonce, taskCreatedBlock, intent },
    ...({ quorumThresholdPercentage: 50, intentSignature: '0x', wasmArgs: '0x' } as const),
    quorumNumbers: '0x00' as const,
  }
  return encodeFunctionData({ abi: taskManagerAbi, functionName: 'createNewTask', args: [task] })
}

const newPolicy = encodeFunctionData({
  abi: policyFactoryAbi,
  functionName: 'deployPolicy',
  args: [
    {
      ...({ owner: poster, metadataCid: '', policyCid: '', schemaCid: '' } as const),
      ...({ entrypoint: 'policy.allow', policyData: [], version: '1.0.0' } as const),
    },
  ],
})

/** Posts tasks and policies of others, whose rows the explorer shows before those of the suite. */
async function withHistory(target: Target): Promise<PreparedTarget> {
  const { rpcUrl, chainId, taskManager } = target.chain!
  const node = (method: string, ...params: unknown[]) => chainCall(fetch, rpcUrl, method, params)
  const owner = decodeFunctionResult({
    abi: taskManagerAbi,
    functionName: 'owner',
    data: (await node(
      'eth_call',
      { to: taskManager, data: encodeFunctionData({ abi: taskManagerAbi, functionName: 'owner' }) },
      'latest',
    )) as Hex,
  })
  const [first] = (await node('eth_getLogs', { fromBlock: '0x0', topics: deployed })) as {
    address: Hex
  }[]
  const factory = first!.address
  const as = async (from: Hex, run: () => Promise<void>) => {
    await node('anvil_impersonateAccount', from)
    await node('anvil_setBalance', from, toHex(10n ** 21n))
    await run().finally(() => node('anvil_stopImpersonatingAccount', from))
  }
  const allow = (allowed: boolean) =>
    as(owner, async () => {
      const call = { abi: taskManagerAbi, functionName: 'setAggregator' } as const
      const data = encodeFunctionData({ ...call, args: [poster, allowed] })
      await node('eth_sendTransaction', { from: owner, to: taskManager, data, gas })
    })
  const head = Number(await node('eth_blockNumber'))
  await allow(true)
  await as(poster, async () => {
    await node('evm_setAutomine', false)
    for (let at = 0; at < entries; at += atOnce / 2) {
      const some = Array.from({ length: atOnce / 2 }, (_, i) => newTask(chainId, at + i, head))
      for (const data of some) {
        await node('eth_sendTransaction', { from: poster, to: taskManager, data, gas })
        await node('eth_sendTransaction', { from: poster, to: factory, data: newPolicy, gas })
      }
      await node('evm_mine')
    }
    await node('evm_setAutomine', true)
  })
  await allow(false)
  return { target, close: async () => {} }
}

export const historyVariants: readonly Variant[] = [
  {
    id: 'explorer.long-history',
    choice: 'has been in use: its explorer shows thousands of tasks and policies of others',
    around: withHistory,
    slow: true,
  },
]
