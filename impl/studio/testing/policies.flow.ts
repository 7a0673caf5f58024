import { expect } from 'vitest'
import type { ViewFlow } from './studioContext.ts'

/** Other parameters show what they would change, and are set; secrets are present or missing. */
export const policiesFlow: ViewFlow = async (page, { show, stack, createTasks }) => {
  await createTasks(1)
  await show('policies')
  await page
    .getByRole('region', { name: 'Clients' })
    .getByText('allow-list', { exact: true })
    .click()
  await page.getByRole('heading', { name: 'allow-list' }).waitFor()
  await page.getByText(/none changes|does not change/).waitFor()

  await page.getByLabel('paused').selectOption('true')
  await page.getByText(/no longer allowed/).waitFor()
  await page.getByRole('button', { name: 'As JSON' }).click()
  const json = page.getByLabel('Parameters (JSON)')
  const paused = await json.inputValue()
  const set = page.getByRole('button', { name: 'Set policy' })
  await json.fill(paused.replace('{', '{"unknown": 1,'))
  await page
    .getByRole('alert')
    .getByText(/policy params do not match their schema/)
    .waitFor()
  expect(await set.isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.getByText(/none changes|does not change/).waitFor()
  await page.getByLabel('Attestations are valid for (blocks)').fill('301')
  await set.click()
  await page.getByText(/Set in block/).waitFor()
  await page.getByRole('tab', { name: 'Versions' }).click()
  await page.getByText('301 blocks').first().waitFor()

  const { 'short-lived': client, 'allow-list': other } = stack.clients
  await show(`policies/clients/${client!.policyClient.toLowerCase()}`)
  await page.getByRole('tab', { name: 'Set another policy' }).click()
  await page.getByText('Only the owner may set another policy').waitFor()
  await page.getByLabel('Or its address').fill(client!.policyAddress)
  await page.getByText('The client has this policy.').waitFor()
  await page.getByLabel('A deployed policy').selectOption(other!.policyAddress.toLowerCase())
  const changes = page.getByRole('region', { name: 'What changes' })
  await changes.getByTitle(other!.policyAddress.toLowerCase()).waitFor()
  await page.getByRole('button', { name: 'Set policy' }).click()
  await page.getByText('The client has this policy.').waitFor()

  await show(`policies/clients/${stack.clients['without-secrets']!.policyClient.toLowerCase()}`)
  await page.getByRole('tab', { name: 'Policy and secrets' }).click()
  await page.getByText('missing', { exact: true }).waitFor()
}
