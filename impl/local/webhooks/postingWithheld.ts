import { setTimeout as sleep } from 'node:timers/promises'
import { taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { encodeFunctionData, toHex } from 'viem'
import { ProvocationError } from './provocationError.ts'

/** Intervals of `--block-time` can be long. */
const minedWithinMs = 60_000

type PostingStack = Pick<StackDescription, 'roles' | 'chain'>

/**
 * Runs a task while the gateway's account may not post to the task manager of a local stack: the owner revokes
 * the right, and grants it again afterwards, whatever happens.
 */
export async function postingWithheld(
  stack: PostingStack,
  task: () => Promise<void>,
): Promise<void> {
  const { roles } = stack
  if (roles === undefined)
    throw new ProvocationError('the description of the stack has no roles', {
      hint: 'Start the stack with this release of polgate.',
    })
  try {
    await allow(stack, roles, false)
    await task()
  } finally {
    await allow(stack, roles, true)
  }
}

async function allow(
  { chain: { rpcUrl, taskManager } }: PostingStack,
  { protocolOwner, aggregator }: NonNullable<StackDescription['roles']>,
  allowed: boolean,
): Promise<void> {
  const data = encodeFunctionData({
    abi: taskManagerAbi,
    functionName: 'setAggregator',
    args: [aggregator as `0x${string}`, allowed],
  })
  await chainRpc(rpcUrl, 'anvil_impersonateAccount', [protocolOwner])
  const transaction = { from: protocolOwner, to: taskManager, data, gas: toHex(200_000) }
  const hash = await chainRpc(rpcUrl, 'eth_sendTransaction', [transaction])
  const deadline = performance.now() + minedWithinMs
  for (;;) {
    const receipt = (await chainRpc(rpcUrl, 'eth_getTransactionReceipt', [hash])) as {
      readonly status: string
    } | null
    if (receipt !== null) {
      if (receipt.status === '0x1') break
      throw new ProvocationError('the task manager refused to change who may post', {
        hint: 'Start the stack anew.',
      })
    }
    if (performance.now() > deadline)
      throw new ProvocationError('the chain has not mined the change of who may post', {
        hint: 'Mine a block: polgate chain mine.',
      })
    await sleep(50)
  }
  await chainRpc(rpcUrl, 'anvil_stopImpersonatingAccount', [protocolOwner])
}
