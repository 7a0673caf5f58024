import { expect } from 'vitest'
import type { ViewFlow } from './studioContext.ts'

/** The form can be submitted as it is; another task is decided and spent; what is wrong is said at its field. */
export const newTaskFlow: ViewFlow = async (page, { show, stack }) => {
  await show('newTask')
  const value = page.getByLabel('Value')
  const submit = page.getByRole('button', { name: 'Submit' })
  const result = page.getByRole('region', { name: 'Result' })
  await value.fill('250000000000000')
  await page.getByText('0.00025 ETH').waitFor()
  await submit.click()
  await result.getByText('allow', { exact: true }).waitFor()

  // The newest task is what the form begins with.
  await show('tasks')
  await show('newTask')
  await page.getByText('0.00025 ETH').waitFor()
  await value.fill('0')
  const to = page.getByLabel('To', { exact: true })
  await to.selectOption('Another address')
  await submit.click()
  expect(await page.getByText('choose or enter an address').count()).toBe(1)
  const client = stack.clients['allow-list']!.policyClient
  await page.getByLabel('Policy client', { exact: true }).selectOption(client)
  await page.getByLabel('From', { exact: true }).selectOption(stack.accounts.sender.address)
  await to.selectOption(stack.accounts.recipient.address)
  await page.getByLabel('Intent signature').selectOption('sender')
  await page.getByLabel('Method').selectOption('sendTask')
  await submit.click()
  await result.getByText('allow', { exact: true }).waitFor()
  await result.getByRole('button', { name: 'Spend the attestation' }).click()
  await result.getByText('spent', { exact: true }).waitFor()
}
