import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { formatEther, getAddress, isAddress, parseEther } from 'viem'
import { CommandError } from '../commandDefinition.ts'
import { findStack } from '../stack/findStack.ts'
import type { ChainOptions } from './chainControl.ts'

export type BalanceOptions = ChainOptions & { readonly set?: string }

/** `polgate chain balance`. @throws CommandError */
export async function chainBalance(account: string, options: BalanceOptions): Promise<void> {
  const wei = options.set === undefined ? undefined : weiOf(options.set)
  const { stack } = await findStack(options.target)
  const address = addressOf(account, stack)
  const { rpcUrl } = stack.chain
  if (wei !== undefined)
    await chainRpc(rpcUrl, 'anvil_setBalance', [address, `0x${wei.toString(16)}`])
  const balance = BigInt(String(await chainRpc(rpcUrl, 'eth_getBalance', [address, 'latest'])))
  const eth = formatEther(balance)
  console.log(
    options.json ? JSON.stringify({ address, wei: balance.toString(), eth }) : `${eth} ETH`,
  )
}

function addressOf(text: string, { accounts, clients }: StackDescription): `0x${string}` {
  if (Object.hasOwn(accounts, text))
    return getAddress(accounts[text as keyof typeof accounts]!.address)
  if (Object.hasOwn(clients, text)) return getAddress(clients[text]!.policyClient)
  if (isAddress(text, { strict: false })) return getAddress(text)
  throw new CommandError(`'${text.slice(0, 60)}' is neither an address nor known`, {
    hint: `Accounts are ${Object.keys(accounts).join(', ')}; names of policy clients are known, too.`,
  })
}

/** Anvil takes 256 bits. */
const most = 2n ** 256n - 1n

function weiOf(text: string): bigint {
  const wei = /^\d{1,60}(\.\d{1,18})?$/.test(text) ? parseEther(text) : undefined
  if (wei !== undefined && wei <= most) return wei
  throw new CommandError(`--set '${text.slice(0, 40)}' is not an amount of ETH`, {
    hint: 'Use for example 100 or 0.5, with at most 18 decimals.',
  })
}
