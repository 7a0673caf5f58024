import { defaultBrand } from 'polgate-protocol/brand.ts'
import type { TaskIntent } from 'polgate-protocol/intent.ts'
import type { JsonRpcError } from 'polgate-protocol/jsonRpc.ts'
import type { MethodName, ResultOf } from 'polgate-protocol/methods.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'

export type Answer<M extends MethodName> = {
  readonly status: number
  readonly result?: ResultOf<M>
  readonly error?: JsonRpcError
}

/** Calls a local stack over HTTP. */
export const stackClient = (
  stack: Pick<StackDescription, 'gatewayUrl' | 'apiKeys'>,
  headers: Readonly<Record<string, string>> = {},
) => ({
  async call<M extends MethodName>(
    method: M,
    params: unknown,
    key: keyof StackDescription['apiKeys'] = 'rpc',
  ): Promise<Answer<M>> {
    const response = await fetch(`${stack.gatewayUrl}/rpc`, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        authorization: `Bearer ${stack.apiKeys[key]}`,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: crypto.randomUUID(),
        method: defaultBrand.methodPrefix + method,
        params,
      }),
    })
    return { status: response.status, ...((await response.json()) as object) }
  },
})

/** An intent that the policy `allow-list` allows; each value makes a different task. */
export const plainIntent = (
  { accounts, chain }: Pick<StackDescription, 'accounts' | 'chain'>,
  value: bigint | number = 1,
): TaskIntent => ({
  from: accounts.sender.address,
  to: accounts.recipient.address,
  value: `0x${value.toString(16)}`,
  data: '0x',
  chain_id: `0x${chain.chainId.toString(16)}`,
  function_signature: '0x',
})
