import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { stringToHex } from 'viem'

let value = 0n

/** What of a stack tasks depend on. */
export type TaskStack = Pick<StackDescription, 'brand' | 'clients'> & {
  readonly accounts: {
    readonly sender: { readonly address: string }
    readonly recipient: { readonly address: string }
  }
  readonly chain: { readonly chainId: number }
}

function intent({ accounts, chain }: TaskStack) {
  value += 1n
  return {
    from: accounts.sender.address,
    to: accounts.recipient.address,
    value: `0x${value.toString(16)}`,
    data: '0x',
    chain_id: `0x${chain.chainId.toString(16)}`,
    function_signature: '0x',
  }
}

/** Tasks that differ in their intent; `wasmArgs` is the input of the oracles, if there are any. */
export const createTaskBodies = (
  stack: TaskStack,
  fixture: string,
  count: number,
  wasmArgs?: string,
): string[] =>
  Array.from({ length: count }, () =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: '1',
      method: `${stack.brand.methodPrefix}createTask`,
      params: {
        policy_client: stack.clients[fixture]!.policyClient,
        intent: intent(stack),
        ...(fixture === 'priced-transfer'
          ? { wasm_args: encodeWasmArgs({ symbol: 'ETH' }, {}) }
          : {}),
        ...(wasmArgs === undefined ? {} : { wasm_args: stringToHex(wasmArgs) }),
      },
    }),
  )
