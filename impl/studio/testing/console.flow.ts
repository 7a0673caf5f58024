import { expect } from 'vitest'
import type { ViewFlow } from './studioContext.ts'

/** A task is created with the form, from an example; then the explorer is read, and both are in the history. */
export const consoleFlow: ViewFlow = async (page, { show, stack, createTasks }) => {
  const { methodPrefix } = stack.brand
  // Examples have the values of the newest task.
  await createTasks(1)
  await show('console')
  const methods = page.getByRole('list', { name: 'Methods' }).getByRole('button')
  await methods.first().waitFor()
  expect(await methods.count()).toBe(15)

  await show('console/rpc/createTask')
  await page.getByRole('heading', { name: `${methodPrefix}createTask` }).waitFor()
  const form = page.getByRole('form', { name: 'Request' })
  // Nothing is sent before the first look at what is missing.
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  await form.getByText('do not match the schema').waitFor()
  await form.getByRole('button', { name: 'Fill in an example' }).click()
  await form.getByText('do not match the schema').waitFor({ state: 'detached' })
  const client = form.getByLabel('policy_client')
  expect((await client.inputValue()).toLowerCase()).toBe(
    stack.clients['allow-list']!.policyClient.toLowerCase(),
  )
  await form.getByLabel('value').fill('0x')
  await form.getByText('does not have the required form').first().waitFor()
  await form.getByLabel('value').fill(`0x${Date.now().toString(16)}`)
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  const response = page.getByRole('region', { name: 'Response' })
  await response.getByText('HTTP 200').waitFor()
  await response.getByText('task_id').first().waitFor()

  await form.getByRole('button', { name: 'Edit as JSON' }).click()
  const raw = form.getByLabel('Parameters as JSON')
  expect(JSON.parse(await raw.inputValue())).toHaveProperty('intent.value')
  await raw.fill('{"policy_client": 1}')
  await form.getByText('do not match the schema').waitFor()

  await page.getByRole('tab', { name: 'Explorer' }).click()
  await page.getByRole('button', { name: '/v1/task', exact: true }).click()
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  await response.getByText('results').first().waitFor()

  await page.getByRole('tab', { name: 'History (2)' }).click()
  await page.getByRole('button', { name: 'GET /v1/task' }).waitFor()
  await page.getByRole('button', { name: 'createTask' }).click()
  await page.getByRole('heading', { name: `${methodPrefix}createTask` }).waitFor()
  expect(await form.getByLabel('policy_client').inputValue()).not.toBe('')
  const stored = await page.evaluate(() =>
    JSON.stringify((globalThis as unknown as { localStorage: object }).localStorage),
  )
  for (const key of Object.values(stack.apiKeys)) expect(stored).not.toContain(key)
}
