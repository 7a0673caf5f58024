import { expect } from 'vitest'
import type { ViewFlow } from './studioContext.ts'

/** New tasks appear in the list. */
export const tasksFlow: ViewFlow = async (page, { show, createTasks }) => {
  await show('tasks')
  const [id] = await createTasks(1)
  await page.getByTitle(id!).waitFor()
  expect(await page.getByRole('region', { name: 'Tasks' }).count()).toBe(1)
}
