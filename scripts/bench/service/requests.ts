import { encodeWasmArgs } from '../../../fixtures/caseIntent.ts'
import type { StackDescription } from '../../../impl/protocol/stackDescription.ts'

let value = 0n

const intent = ({ accounts, chain }: StackDescription) => {
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

const body = (method: string, params: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id: '1', method: `svc_${method}`, params })

/** Tasks that differ in their intent. */
export const createTaskBodies = (
  stack: StackDescription,
  fixture: string,
  count: number,
): string[] =>
  Array.from({ length: count }, () =>
    body('createTask', {
      policy_client: stack.clients[fixture]!.policyClient,
      intent: intent(stack),
      ...(fixture === 'priced-transfer'
        ? { wasm_args: encodeWasmArgs({ symbol: 'ETH' }, {}) }
        : {}),
    }),
  )

/** A simulation on supplied data: the Rego stage and the way to it. */
export function simulateTaskBody(stack: StackDescription): string {
  const { policyId, policyAddress } = stack.clients['allow-list']!
  return body('simulateTask', {
    intent: intent(stack),
    policy_task_data: { policyId, policyAddress, policy: '0x', policyData: [] },
  })
}
