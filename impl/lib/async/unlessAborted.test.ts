import { expect, it } from 'vitest'
import { unlessAborted } from './unlessAborted.ts'

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

it('gives up waiting, not the work', async () => {
  const caller = new AbortController()
  const work = later(50).then(() => 'done')
  const given = unlessAborted(caller.signal, work)
  caller.abort(new Error('given up'))
  await expect(given).rejects.toThrow('given up')
  expect(await work).toBe('done')
})

it('takes the failure of work that was begun for one who has already given up', async () => {
  const stray: unknown[] = []
  const note = (reason: unknown) => stray.push(reason)
  process.on('unhandledRejection', note)
  const failing = later(5).then(() => {
    throw new Error('nobody is listening')
  })
  await expect(unlessAborted(AbortSignal.abort(new Error('gone')), failing)).rejects.toThrow('gone')
  await later(30)
  process.off('unhandledRejection', note)
  expect(stray).toEqual([])
})
