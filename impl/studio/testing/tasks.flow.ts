import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { StudioTestContext, ViewFlow } from './studioContext.ts'

/** A secret of the price feed's oracle: it must not be anywhere in the page. */
const secret = 'fixture-price-feed-key'
const tooMuch = 10n ** 20n

/** Of the client whose policy asks an oracle for a price. */
async function createPricedTask(
  { stack }: StudioTestContext,
  value: bigint,
): Promise<{ readonly task_id: string }> {
  const { gatewayUrl, apiKeys, brand, clients, accounts, chain } = stack
  const response = await fetch(`${gatewayUrl}/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKeys.rpc}` },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: `${brand.methodPrefix}createTask` },
      params: {
        policy_client: clients['priced-transfer']!.policyClient,
        wasm_args: `0x${Buffer.from('{"symbol":"ETH"}').toString('hex')}`,
        intent: {
          ...{ from: accounts.sender.address, to: accounts.recipient.address, data: '0x' },
          value: `0x${value.toString(16)}`,
          ...{ chain_id: `0x${chain.chainId.toString(16)}`, function_signature: '0x' },
        },
      },
    }),
  })
  return ((await response.json()) as { result: { task_id: string } }).result
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()

/** New tasks appear in the list, which filters find again. */
async function findInList(page: Page, { show, createTasks }: StudioTestContext): Promise<void> {
  await show('tasks')
  const [id] = await createTasks(1)
  const row = page.getByTitle(id!)
  await row.waitFor()
  const outcomes = page.getByRole('figure', { name: 'Outcomes of tasks over time' })
  await outcomes.getByText(/^The latest \d+ tasks/).waitFor()
  await outcomes.locator('canvas').waitFor()
  await page.getByLabel('Text', { exact: true }).fill(id!.slice(20, 40))
  await expect.poll(() => page.locator('main tbody tr').count()).toBe(1)
  await page.getByLabel('Outcome').selectOption('deny')
  await page.getByText('No task matches these filters.').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await row.getByRole('link').click()
  await page.getByText('allow', { exact: true }).waitFor()
}

/** The path of a denied task: what its oracle was answered, and the lines that decided. */
async function readTrace(page: Page): Promise<void> {
  await page.getByText('value exceeds the maximum in dollars').first().waitFor()
  await page.getByText('100000000000000000000 wei (100 ETH)').first().waitFor()
  // A denial opens with its reason.
  const source = page.getByRole('region', { name: 'Source of policy.allow' })
  const decided = source.locator('li.did-not-hold.decides').first()
  expect(await decided.textContent()).toContain('count(deny) = 1')
  await tab(page, 'Path')
  for (const part of ['admission', 'settle data', 'post on chain'])
    await page.getByRole('button', { name: part }).first().waitFor()
  await page.getByRole('button', { name: /→ 200/ }).first().click()
  const part = page.getByRole('region', { name: /^Part GET/ })
  expect(await part.textContent()).toMatch(/\{secret:PRICE_FEED_URL\}\/price\/ETH.*price: ?2000/s)
  await part.getByText('headers').first().click()
  expect(await page.locator('body').textContent()).not.toContain(secret)

  await page.getByRole('button', { name: 'Response posted' }).click()
  const posted = page.getByRole('region', { name: 'Part Response posted' })
  expect(await posted.textContent()).toMatch(/Happened after[\d.]+–[\d.]+ s.*whole seconds/s)

  await tab(page, 'Operators')
  await page.getByText('4 of 4 operators signed, 100 % of the stake').waitFor()
  expect(await page.getByText('40 (40 %)').count()).toBe(1)
  await tab(page, 'On chain')
  await page.getByText('Response posted').waitFor()
}

/** Runs it again with another value: the outcomes are shown side by side. */
async function runWithChanges(page: Page): Promise<void> {
  await tab(page, 'Run again')
  const editor = page.getByLabel('Parameters')
  const text = await editor.inputValue()
  await editor.fill('{}')
  await page.getByText('policy_client: ').waitFor()
  expect(await page.getByRole('button', { name: 'Run with changes' }).isDisabled()).toBe(true)
  await editor.fill(text.replace(`0x${tooMuch.toString(16)}`, '0x1'))
  await page.getByRole('button', { name: 'Run with changes' }).click()
  await page.getByRole('region', { name: 'Now' }).getByText('allow', { exact: true }).waitFor()
  const differences = page.getByRole('region', { name: 'Differences of the outcomes' })
  await differences.getByText('$.decision').waitFor()
}

async function saveCase(page: Page): Promise<void> {
  await tab(page, 'Save as test case')
  await page.getByRole('button', { name: 'Make the test case' }).click()
  await page.getByText('expect:').waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Download/ }).click()
  expect((await downloading).suggestedFilename()).toMatch(/^case-[0-9a-f]{8}\.yaml$/)
}

export const tasksFlow: ViewFlow = async (page, context) => {
  await findInList(page, context)
  const { task_id } = await createPricedTask(context, tooMuch)
  await context.show(`tasks/${task_id}`)
  await readTrace(page)
  await tab(page, 'Request')
  expect(await page.getByRole('region', { name: 'curl' }).textContent()).toContain('$API_KEY')
  await runWithChanges(page)
  await saveCase(page)
}
