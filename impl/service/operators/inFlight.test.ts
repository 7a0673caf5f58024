import { describe, expect, it } from 'vitest'
import { createInFlight, createInUse } from './inFlight.ts'

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

it('shares work between concurrent callers, and repeats it afterwards', async () => {
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

it('does not cache failures', async () => {
  const share = createInFlight<string>()
  await expect(share('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await share('a', async () => 'yes')).toBe('yes')
})

describe('a value in use', () => {
  const opened = () => {
    const made: Uint8Array[] = []
    const inUse = createInUse<Uint8Array>((value) => value.fill(0))
    const make = async () => {
      const value = Uint8Array.of(1, 2)
      made.push(value)
      return value
    }
    return { made, inUse, make }
  }

  it('is created once for concurrent users, and disposed after the last', async () => {
    const { made, inUse, make } = opened()
    const seen: number[] = []
    const use = (ms: number) =>
      inUse('a', make, async (value) => {
        await later(ms)
        seen.push(value[0] ?? -1)
      })
    await Promise.all([use(5), use(40)])
    expect(seen).toEqual([1, 1])
    expect(made).toEqual([Uint8Array.of(0, 0)])
    await use(0)
    expect(made.length).toBe(2)
  })

  it('is disposed when its use fails, and not cached when its creation fails', async () => {
    const { made, inUse, make } = opened()
    await expect(inUse('a', make, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(made).toEqual([Uint8Array.of(0, 0)])
    const failing = () => Promise.reject(new Error('sealed'))
    await expect(inUse('a', failing, async () => 1)).rejects.toThrow('sealed')
    expect(await inUse('a', make, async (value) => value[0])).toBe(1)
  })
})
