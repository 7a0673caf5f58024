import type { ViewFlow } from './studioContext.ts'

/** A check runs against this stack; its exchange is opened and sent again; a second run is compared. */
export const conformanceFlow: ViewFlow = async (page, { show }) => {
  const id = 'rpc.envelope.failure'
  const passed = page.getByText('selected checks passed')
  await show('conformance')
  // Before the list is loaded, or after.
  await page.getByRole('button', { name: /^Run all/ }).waitFor()
  await page.getByText('4.2 createTask').click()
  await page.getByRole('button', { name: 'Choose all of section 4.2' }).click()
  await page.getByRole('button', { name: /^Run \d\d+ checks$/ }).waitFor()
  await page.getByRole('button', { name: 'Clear the choice' }).click()
  await page.getByLabel('Text', { exact: true }).fill(id)
  await page.getByRole('checkbox', { name: id }).check()
  await page.getByRole('button', { name: 'Run 1 check' }).click()
  await passed.waitFor({ timeout: 110_000 })
  await page.getByText('1 passed').waitFor()

  await page.getByRole('link', { name: id }).click()
  const exchange = page.getByRole('region', { name: 'The exchange that decided' })
  await exchange
    .getByText(/HTTP \d/)
    .first()
    .waitFor()
  await exchange.getByText('Differences from the valid request').first().waitFor()
  await exchange.getByRole('button', { name: 'Send this request again' }).click()
  await exchange.getByText('the same status').waitFor()

  await page.getByRole('button', { name: 'Run this check again' }).click()
  await page.getByRole('heading', { name: 'Results' }).waitFor()
  await passed.waitFor({ timeout: 110_000 })
  await show('conformance')
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByText('Broken: 0').waitFor()
  await page.getByText('Same: 1').waitFor()
}
