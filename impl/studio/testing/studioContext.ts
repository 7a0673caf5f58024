import type { Page } from 'playwright-core'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'

/** What the flow of a view is given besides the page. */
export type StudioTestContext = {
  readonly stack: StackDescription & { readonly studioUrl: string }
  /** Shows a view, with the rest of its hash, such as `tasks/0x12`. */
  show(view: string): Promise<void>
  /** Creates tasks through the gateway, of the client `allow-list`. @returns their ids */
  createTasks(count: number): Promise<readonly string[]>
}

/** The main flow of a view: a user's, who sees what it asserts. */
export type ViewFlow = (page: Page, context: StudioTestContext) => Promise<void>

export function studioContext(page: Page, stack: StudioTestContext['stack']): StudioTestContext {
  const { gatewayUrl, apiKeys, brand, clients, accounts, chain } = stack
  return {
    stack,
    async show(view) {
      await page.evaluate((hash) => {
        ;(globalThis as unknown as { location: { hash: string } }).location.hash = hash
      }, `#/${view}`)
      await page.waitForSelector('main h1')
    },
    async createTasks(count) {
      const ids: string[] = []
      for (let value = 1; value <= count; value += 1) {
        const response = await fetch(`${gatewayUrl}/rpc`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKeys.rpc}` },
          body: JSON.stringify({
            ...{ jsonrpc: '2.0', id: value, method: `${brand.methodPrefix}createTask` },
            params: {
              policy_client: clients['allow-list']!.policyClient,
              intent: {
                ...{ from: accounts.sender.address, to: accounts.recipient.address, data: '0x' },
                value: `0x${(Date.now() + value).toString(16)}`,
                ...{ chain_id: `0x${chain.chainId.toString(16)}`, function_signature: '0x' },
              },
            },
          }),
        })
        const { result } = (await response.json()) as { result: { task_id: string } }
        ids.push(result.task_id)
      }
      return ids
    },
  }
}
