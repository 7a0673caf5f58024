import type { LocalStack } from 'polgate-local/localStack.ts'
import { createWalletClient, defineChain, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createServiceClient } from '../client/createServiceClient.ts'
import { createExplorerClient } from '../explorer/createExplorerClient.ts'
import { createIntent } from '../intents/createIntent.ts'

type Key = 'read' | 'write' | 'rpc' | 'none' | 'expired' | 'stranger'

export const chainOf = ({ description: { chain } }: LocalStack) =>
  defineChain({
    id: chain.chainId,
    name: 'local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [chain.rpcUrl] } },
  })

export const clientOf = (stack: LocalStack, key: Key = 'rpc', options: object = {}) =>
  createServiceClient({
    url: stack.description.gatewayUrl,
    key: stack.description.apiKeys[key],
    brand: stack.description.brand,
    chain: chainOf(stack),
    ...options,
  })

export const explorerOf = (stack: LocalStack, options: object = {}) =>
  createExplorerClient({
    url: stack.description.explorerUrl!,
    key: stack.description.apiKeys.read,
    brand: stack.description.brand,
    ...options,
  })

export function walletOf(stack: LocalStack, name: 'sender' | 'owner' | 'stranger' = 'sender') {
  const account = privateKeyToAccount(stack.description.accounts[name]!.privateKey)
  const chain = chainOf(stack)
  return createWalletClient({ account, chain, transport: http(), pollingInterval: 50 })
}

export const policyClientOf = (stack: LocalStack, name: string) =>
  stack.description.clients[name]!.policyClient

let values = 1n
/** An intent that the policy `allow-list` allows; a different one each time. */
export function newIntent({ description: { accounts, chain } }: LocalStack) {
  values += 1n
  const { sender, recipient } = accounts
  return createIntent({
    from: sender.address,
    to: recipient.address,
    value: values,
    chainId: chain.chainId,
  })
}
