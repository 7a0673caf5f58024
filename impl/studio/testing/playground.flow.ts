import { expect } from 'vitest'
import type { ViewFlow } from './studioContext.ts'

/** A task is loaded, its policy is edited, and past tasks are decided again. */
export const playgroundFlow: ViewFlow = async (page, { show, createTasks }) => {
  const [id] = await createTasks(1)
  await show('playground')
  const decision = page.getByRole('region', { name: 'Decision' })
  await decision.getByText('deny', { exact: true }).waitFor()
  await decision.getByText('value exceeds the maximum in dollars').first().waitFor()

  await show(`playground/${id}`)
  await decision.getByText('allow', { exact: true }).waitFor()
  await page.getByText(/none changes|does not change/).waitFor()
  const policy = page.getByRole('textbox', { name: 'Policy (Rego)' })
  await policy.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\ndeny contains "closed today"\n')
  await decision.getByText('closed today').first().waitFor()
  await page.getByText(/no longer allowed/).waitFor()
  expect(await page.locator('.cm-not-covered').count()).toBeGreaterThan(0)

  await page.keyboard.type('deny contains {')
  await decision.getByText('failed', { exact: true }).waitFor()
  await decision.getByText(/rego_parse_error/).waitFor()
  await page.getByRole('tab', { name: 'Save as test case' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download cases.yaml' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('cases.yaml')
}
