import { expect } from 'vitest'
import type { ViewFlow } from './studioContext.ts'

/** An operator is stopped: the quorum is gone, which the shell says, and a task fails; started again, a task succeeds. */
export const operatorsFlow: ViewFlow = async (page, { show, createTasks, stack }) => {
  const failuresOf = async (id: string) => {
    const response = await fetch(`${stack.controlUrl}/tasks/${id}/notifications`)
    return ((await response.json()) as readonly { type: string }[]).map(({ type }) => type)
  }
  const quorum = page.getByRole('region', { name: 'Quorum' })
  await show('operators')
  await quorum.getByText('100 of 100, 67 required').waitFor()

  await page.getByRole('button', { name: 'Stop operator 0' }).focus()
  await quorum.getByText('60 of 100, 67 required').waitFor()
  await page.getByRole('button', { name: 'Stop operator 0' }).click()
  const asking = page.getByRole('dialog')
  await asking.getByText('This breaks the quorum: 60 stake').waitFor()
  await asking.getByRole('button', { name: 'Stop operator 0' }).click()
  await page.getByRole('article', { name: 'Operator 0' }).getByText('stopped').waitFor()
  await quorum.getByText('no quorum').first().waitFor()
  const unready = page.getByRole('status').filter({ hasText: 'Not ready:' })
  await unready.getByText('the default quorum requires').waitFor()
  const [failed] = await createTasks(1)
  expect(await failuresOf(failed!)).toEqual(['quorum_not_reached'])

  await page.getByRole('button', { name: 'Start operator 0' }).click()
  await page.getByRole('article', { name: 'Operator 0' }).getByText('running').waitFor()
  await unready.waitFor({ state: 'detached' })
  // Little stake: nothing to ask, and tasks succeed.
  await page.getByRole('button', { name: 'Lie about the decision operator 3' }).click()
  const liar = page.getByRole('article', { name: 'Operator 3' })
  await liar.getByText('lies about decisions').waitFor()
  await quorum.getByText('90 of 100, 67 required').waitFor()
  const [allowed] = await createTasks(1)
  expect(await failuresOf(allowed!)).toEqual([])
  await liar.getByText('1 differed').waitFor()
  await page.getByRole('button', { name: 'Restore operator 3' }).click()
  await quorum.getByText('100 of 100, 67 required').first().waitFor()
}
