import { policyFactoryAbi } from 'polgate-chain/artifacts/abis.ts'
import { encodeFunctionData, type Hex, parseEventLogs, toHex } from 'viem'
import { Untestable } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import { devNode } from '../assertions/contract.ts'
import { shownPolicy } from './explorerShown.ts'
import { factoryOf } from './explorerSubjects.ts'
import { minedReceipt } from './minedReceipt.ts'

const passerBy: Hex = '0x5eed5eed5eed5eed5eed5eed5eed5eed5eed5ee0'

/**
 * Deploys a policy in a separate block, from an account used nowhere else. `drop` replaces that
 * block; it does nothing and reports that if there were other transactions since.
 */
export async function dropped(
  t: CheckContext,
  known: Hex,
): Promise<{ readonly policy: Hex; readonly drop: () => Promise<boolean> }> {
  const client = t.chain()
  const factory = await factoryOf(t, await shownPolicy(t, known))
  const info = {
    owner: passerBy,
    metadataCid: '',
    policyCid: '',
    schemaCid: '',
    entrypoint: 'policy.allow',
    policyData: [],
    version: '1.0.0',
  } as const
  const data = encodeFunctionData({
    abi: policyFactoryAbi,
    functionName: 'deployPolicy',
    args: [info],
  })
  await devNode(t, 'anvil_setBalance', [passerBy, toHex(10n ** 18n)])
  await devNode(t, 'anvil_impersonateAccount', [passerBy])
  const hash = (await devNode(t, 'eth_sendTransaction', [
    { from: passerBy, to: factory, data, gas: toHex(5_000_000) },
  ])) as Hex
  const receipt = await minedReceipt(t, hash)
  await devNode(t, 'anvil_stopImpersonatingAccount', [passerBy])
  const [deployed] = parseEventLogs({
    abi: policyFactoryAbi,
    eventName: 'PolicyDeployed',
    logs: receipt.logs,
  })
  if (deployed === undefined) throw new Untestable('policies are not deployed by a known factory')
  const drop = async (): Promise<boolean> => {
    const head = await client.getBlock()
    const alone = head.number === receipt.blockNumber && head.transactions.length === 1
    if (alone) await devNode(t, 'anvil_reorg', [1, []])
    return alone
  }
  return { policy: deployed.args.policy, drop }
}
