import { expect } from 'vitest'
import type { ViewFlow } from './studioContext.ts'

/** The receiver is registered, a failure is triggered and found in the inbox; retries and a redelivery follow. */
export const webhooksFlow: ViewFlow = async (page, { show }) => {
  await show('webhooks')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByText('registered', { exact: true }).waitFor()
  await page.getByLabel('The receiver answers').selectOption('500')

  await page.getByRole('tab', { name: 'Trigger a failure' }).click()
  await page.getByRole('button', { name: 'policy_evaluation_failed' }).click()
  const runs = page.getByRole('region', { name: 'Triggered failures' })
  await runs.getByText('happened', { exact: true }).waitFor()

  await page.getByRole('tab', { name: 'Inbox' }).click()
  await page.getByLabel('The receiver answers').selectOption('200')
  const deliveries = page.getByRole('region', { name: 'Deliveries' })
  await deliveries.getByText('policy_evaluation_failed').first().waitFor()
  expect(await deliveries.getByText('not verified').count()).toBe(0)
  await deliveries.getByRole('row').nth(1).getByRole('link').first().click()
  const delivery = page.getByRole('region', { name: 'Delivery', exact: true })
  await delivery.getByText('signature verified').waitFor()
  await delivery.getByText('X-Service-Signature').waitFor()

  await delivery.getByRole('link', { name: 'Retries' }).click()
  const retries = page.getByRole('region', { name: 'Retries' })
  await retries.getByText('Attempt 4').waitFor()
  await retries.getByRole('button', { name: 'Redeliver' }).click()
  await retries.getByText('delivered', { exact: true }).waitFor()
  await retries.getByText('Redelivery', { exact: false }).first().waitFor()
  await retries.getByText('given up').waitFor()

  await page.getByRole('tab', { name: 'Updates' }).click()
  const updates = page.getByRole('region', { name: 'Updates' })
  await updates
    .getByRole('link', { name: /^Follow task/ })
    .first()
    .click()
  await page.getByText('ended', { exact: true }).waitFor()
}
