import { expect, test } from 'vitest'
import { inBatches } from './inBatches.ts'

test('items added during a write are in the next one, and nothing is written twice', async () => {
  const batches: number[][] = []
  let release = () => {}
  const write = inBatches<number>(async (items) => {
    batches.push([...items])
    await new Promise<void>((resolve) => {
      release = resolve
    })
  })
  const first = write(1)
  await expect.poll(() => batches.length).toBe(1)
  const later = [write(2), write(3)]
  release()
  await first
  await expect.poll(() => batches.length).toBe(2)
  const last = write(4)
  release()
  await Promise.all(later)
  await expect.poll(() => batches.length).toBe(3)
  release()
  await last
  expect(batches).toEqual([[1], [2, 3], [4]])
})

test('a failed write fails only its own items', async () => {
  let broken = true
  const written: number[] = []
  const write = inBatches<number>(async (items) => {
    if (broken) throw new Error('gone')
    written.push(...items)
  })
  const failed = await Promise.allSettled([write(1), write(2)])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  broken = false
  await write(3)
  expect(written).toEqual([3])
})
