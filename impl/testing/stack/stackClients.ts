import {
  type CreateIntentOptions,
  createExplorerClient,
  createIntent,
  createServiceClient,
  type ExplorerClient,
  type ServiceClient,
  type TaskIntent,
} from 'polgate-client'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import {
  type Account,
  type Chain,
  createWalletClient,
  defineChain,
  type HttpTransport,
  http,
  type WalletClient,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { StackAccount } from './stackAccount.ts'

/** Clients of a stack. */
export type StackClients = {
  /** The client SDK with the key `rpc`, which may read and write. */
  readonly client: ServiceClient
  readonly explorer: ExplorerClient
  /** The client SDK with another key, of `keys` or `createKey`. */
  clientOf(key: string): ServiceClient
  /** A wallet client of viem, such as for `spendAttestation`. */
  walletOf(account: StackAccount): WalletClient<HttpTransport, Chain, Account>
  /** An intent on the chain of the stack; by default of nothing, from `sender` to `recipient`. */
  intent(options?: Partial<Omit<CreateIntentOptions, 'chainId'>>): TaskIntent
}

export function stackClients(description: StackDescription): StackClients {
  const { gatewayUrl, explorerUrl, apiKeys, brand, accounts } = description
  const { rpcUrl, chainId } = description.chain
  const chain = defineChain({
    id: chainId,
    name: 'local stack',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const clientOf = (key: string) => createServiceClient({ url: gatewayUrl, key, brand, chain })
  return {
    client: clientOf(apiKeys.rpc),
    explorer: createExplorerClient({ url: explorerUrl!, key: apiKeys.read, brand }),
    clientOf,
    walletOf: ({ privateKey }) =>
      createWalletClient({
        account: privateKeyToAccount(privateKey),
        chain,
        // Local chains mine at once.
        pollingInterval: 50,
        transport: http(rpcUrl),
      }),
    intent: (options = {}) =>
      createIntent({
        from: accounts.sender.address,
        to: accounts.recipient.address,
        ...options,
        chainId,
      }),
  }
}
