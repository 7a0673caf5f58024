import { expect } from 'vitest'
import type { ViewFlow } from './studioContext.ts'

/** A task is created in the form, decided and spent; what is wrong is said at its field. */
export const newTaskFlow: ViewFlow = async (page, { show, stack }) => {
  await show('newTask')
  await page.getByRole('combobox', { name: 'Policy client' }).waitFor()
  await page.getByRole('button', { name: 'Submit' }).click()
  expect(await page.getByText('choose or enter an address').count()).toBe(3)
  const client = stack.clients['allow-list']!.policyClient
  await page.getByLabel('Policy client', { exact: true }).selectOption(client.toLowerCase())
  await page.getByLabel('From', { exact: true }).selectOption(stack.accounts.sender.address)
  await page.getByLabel('To', { exact: true }).selectOption(stack.accounts.recipient.address)
  await page.getByLabel('Intent signature').selectOption('sender')
  await page.getByLabel('Method').selectOption('sendTask')
  await page.getByRole('button', { name: 'Submit' }).click()
  const result = page.getByRole('region', { name: 'Result' })
  await result.getByText('allow', { exact: true }).waitFor()
  await result.getByRole('button', { name: 'Spend the attestation' }).click()
  await result.getByText('spent', { exact: true }).waitFor()
}
