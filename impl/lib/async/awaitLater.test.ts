import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { awaitLater } from './awaitLater.ts'

test('a rejection before its turn is not unhandled, and is thrown when the promise is awaited', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  try {
    const early = awaitLater(Promise.reject(new Error('early')))
    await pause(10)
    await expect(early).rejects.toThrow('early')
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
  }
})
