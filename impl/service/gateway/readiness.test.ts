import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createReadiness, type Need, type NeedCheck, type ReadinessTimes } from './readiness.ts'

const met: NeedCheck = () => undefined

function readinessOf(
  checks: Partial<Record<Need, NeedCheck>>,
  times: Partial<ReadinessTimes> = {},
  problems: () => Promise<readonly string[]> = async () => [],
) {
  const all = { store: met, chain: met, operators: met, contents: met, connections: met }
  return createReadiness({ checks: { ...all, ...checks }, problems, times })
}
const linesOf = async (readiness: ReturnType<typeof readinessOf>) => [
  ...(await readiness.current()).unmet.values(),
]

describe('readiness', () => {
  it('checks twice a second, however many ask', async () => {
    let checks = 0
    let details = 0
    const count = async () => {
      checks += 1
      await pause(5)
      return undefined
    }
    const readiness = readinessOf({ store: count }, {}, async () => {
      details += 1
      return []
    })
    const begin = performance.now()
    for (let round = 0; round < 20; round++) {
      await Promise.all(Array.from({ length: 50 }, () => readiness.current()))
      await pause(10)
    }
    const most = 1 + Math.floor((performance.now() - begin) / 500)
    expect(checks).toBeLessThanOrEqual(most)
    expect(details).toBeLessThanOrEqual(most)
  })

  it('names each need that is not met, with a reason of one line', async () => {
    const readiness = readinessOf({
      store: () => Promise.reject(new Error('the disk\nis full')),
      contents: () => {
        throw new Error('gone')
      },
      chain: async () => 'no node',
    })
    expect(await readiness.current()).toMatchObject({ ready: false })
    expect(await linesOf(readiness)).toEqual([
      'store: the disk is full',
      'chain: no node',
      'contents: gone',
    ])
  })

  it('is not ready while a check hangs, and is again as soon as it ends', async () => {
    let end = () => {}
    const hanging = () =>
      new Promise<undefined>((resolve) => {
        end = () => resolve(undefined)
      })
    const readiness = readinessOf({ store: hanging }, { withinMs: 30 })
    const begin = performance.now()
    expect(await linesOf(readiness)).toEqual(['store: no answer within 30 ms'])
    const asked = performance.now()
    expect(await linesOf(readiness)).toEqual(['store: no answer within 30 ms'])
    expect(performance.now() - asked).toBeLessThan(asked - begin)
    end()
    await pause(0)
    expect(await linesOf(readiness)).toEqual([])
  })

  it('replaces a check that never ends', async () => {
    let hangs = true
    const check = () => (hangs ? new Promise<undefined>(() => {}) : undefined)
    const readiness = readinessOf({ store: check }, { withinMs: 5, abandonMs: 50 })
    expect(await readiness.current()).toMatchObject({ ready: false })
    hangs = false
    await expect.poll(async () => (await readiness.current()).ready).toBe(true)
  })

  it('is affected by no problem, nor by problems that cannot be determined', async () => {
    for (const problems of [
      () => Promise.reject(new Error('INSIDE')),
      () => {
        throw new Error('INSIDE')
      },
      () => new Promise<never>(() => {}),
    ])
      expect(await readinessOf({}, { withinMs: 5 }, problems).current()).toEqual({
        ready: true,
        unmet: new Map(),
        problems: ['problems cannot be determined'],
      })
  })
})
