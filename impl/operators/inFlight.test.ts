import { expect, it } from 'vitest'
import { createInFlight, unlessAborted } from './inFlight.ts'

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

it('does the same work once for those who ask at the same time, and again afterwards', async () => {
  const share = createInFlight<number>()
  let times = 0
  const work = async () => {
    await later(10)
    times += 1
    return times
  }
  expect(await Promise.all([share('a', work), share('a', work), share('b', work)])).toEqual([
    1, 1, 2,
  ])
  expect(await share('a', work)).toBe(3)
})

it('keeps no failure', async () => {
  const share = createInFlight<string>()
  await expect(share('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await share('a', async () => 'yes')).toBe('yes')
})

it('gives up waiting, not the work', async () => {
  const caller = new AbortController()
  const work = later(50).then(() => 'done')
  const given = unlessAborted(caller.signal, work)
  caller.abort(new Error('given up'))
  await expect(given).rejects.toThrow('given up')
  expect(await work).toBe('done')
})
