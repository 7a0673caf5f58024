import { expect, it } from 'vitest'
import { sleep } from './sleep.ts'

it('sleep does not end at once where a timer cannot take so long', async () => {
  const controller = new AbortController()
  let over = false
  const sleeping = sleep(2 ** 31, controller.signal).then(() => {
    over = true
  })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(over).toBe(false)
  controller.abort()
  await sleeping
})
