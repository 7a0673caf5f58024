import { expect } from 'vitest'
import type { ViewFlow } from './studioContext.ts'

/** An operator is stopped: the quorum is gone, which the shell says, and a task fails; started again, a task succeeds. */
export const operatorsFlow: ViewFlow = async (page, { show, createTasks, stack }) => {
  const failuresOf = async (id: string) => {
    const response = await fetch(`${stack.controlUrl}/tasks/${id}/notifications`)
    return ((await response.json()) as readonly { type: string }[]).map(({ type }) => type)
  }
  const quorum = page.getByRole('region', { name: 'Quorum' })
  const table = page.getByRole('region', { name: 'Operators' })
  const rowOf = (index: number) => table.getByRole('row').filter({ hasText: `operator ${index}` })
  const dialog = page.getByRole('dialog')
  const choose = (index: number, action: string) =>
    page.getByLabel(`Action on operator ${index}`).selectOption(action)
  const confirm = (action: string) => dialog.getByRole('button', { name: action }).click()
  await show('operators')
  await quorum.getByText('100 of 100, 67 required').waitFor()

  await choose(0, 'Stop')
  await dialog.getByText('60 of 100, 67 required').waitFor()
  await dialog.getByText('This breaks the quorum').waitFor()
  await confirm('Stop operator 0')
  await rowOf(0).getByText('stopped').waitFor()
  await quorum.getByText('no quorum').waitFor()
  const unready = page.getByRole('status').filter({ hasText: 'Not ready:' })
  await unready.getByText('the default quorum requires').waitFor()
  const [failed] = await createTasks(1)
  expect(await failuresOf(failed!)).toEqual(['quorum_not_reached'])
  // A failure opens on its failed part.
  await show(`tasks/${failed}`)
  await page
    .getByRole('region', { name: /^Part / })
    .getByRole('alert')
    .waitFor()

  await show('operators')
  await choose(0, 'Start')
  await confirm('Start operator 0')
  await rowOf(0).getByText('running').waitFor()
  await unready.waitFor({ state: 'detached' })
  // Little stake: tasks succeed.
  await choose(3, 'Lie about the decision')
  await dialog.getByText('90 of 100, 67 required').waitFor()
  expect(await dialog.getByText('This breaks the quorum').count()).toBe(0)
  await confirm('Lie about the decision operator 3')
  await rowOf(3).getByText('lies about decisions').waitFor()
  const [allowed] = await createTasks(1)
  expect(await failuresOf(allowed!)).toEqual([])
  await rowOf(3).getByText('1 differed').waitFor()
  await rowOf(3).getByRole('link').click()
  await page.getByRole('figure', { name: 'Latency and agreement of operator 3' }).waitFor()
  await choose(3, 'Restore')
  await confirm('Restore operator 3')
  await quorum.getByText('100 of 100, 67 required').waitFor()
}
