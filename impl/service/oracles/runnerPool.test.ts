import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { describe, expect, test } from 'vitest'
import type { OracleError } from './oracleError.ts'
import type { OracleHost } from './oracleHost.ts'
import { failureOf, oracleHarness } from './testing/testHarness.ts'

const bed = oracleHarness({ sharesCache: true })
const { hostWith } = bed
const load = async (host: OracleHost, name: string) => bed.load(host, await buildOracle(name))

describe('many runs', () => {
  test('twenty concurrent runs on two threads, each with its own output', async () => {
    const host = hostWith({}, { maxWorkers: 2 })
    const cid = await load(host, 'echo')
    const inputs = Array.from({ length: 20 }, (_, index) => index)
    const results = await Promise.all(
      inputs.map((index) => host.run({ cid, input: String(index) })),
    )
    expect(results.map(({ json }) => json)).toEqual(inputs.map((echo) => ({ echo })))
    expect(host.workers()).toBe(2)
  })

  test('a failing run does not disturb the others', async () => {
    const host = hostWith({ wallClockMs: 1_500, memoryBytes: 4 * 1024 * 1024 }, { maxWorkers: 2 })
    const names = ['echo', 'trap', 'loop', 'grow', 'failure', 'counter']
    const cids = await Promise.all(names.map((name) => load(host, name)))
    const runs = await Promise.allSettled(
      [...cids, ...cids].map((cid) => host.run({ cid, input: '1' })),
    )
    const outcomes = runs.map((run) =>
      run.status === 'fulfilled' ? 'ok' : (run.reason as OracleError).code,
    )
    const expected = ['ok', 'trap', 'wall-clock', 'memory', 'result', 'ok']
    expect(outcomes).toEqual([...expected, ...expected])
  })

  test('a slow server delays only its own oracle', async () => {
    const createFetch = () => (_: unknown, signal: AbortSignal) =>
      new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      )
    const host = hostWith({ wallClockMs: 20_000 }, { maxWorkers: 2, maxThreads: 6, createFetch })
    const price = await load(host, 'price')
    const echo = await load(host, 'echo')
    const secrets = Buffer.from('{"PRICE_FEED_URL":"http://slow.invalid","PRICE_API_KEY":"k"}')
    const signal = AbortSignal.timeout(15_000)
    const slow = Array.from({ length: 10 }, () =>
      failureOf(host.run({ cid: price, input: '{"symbol":"ETH"}', secrets, signal })),
    )
    const results = await Promise.all(
      [1, 2, 3].map((at) => host.run({ cid: echo, input: `${at}` })),
    )
    expect(results.map(({ json }) => json)).toEqual([{ echo: 1 }, { echo: 2 }, { echo: 3 }])
    expect(signal.aborted).toBe(false)
    expect(host.workers()).toBeLessThanOrEqual(6)
    await host.close()
    expect(new Set((await Promise.all(slow)).map(({ code }) => code))).toEqual(new Set(['aborted']))
  })

  test('runs over the queue limit are rejected', async () => {
    const host = hostWith({ wallClockMs: 300 }, { maxWorkers: 1, maxQueued: 1 })
    const cid = await load(host, 'loop')
    const runs = [1, 2, 3].map(() => failureOf(host.run({ cid, input: '{}' })))
    const codes = (await Promise.all(runs)).map(({ code }) => code)
    expect(codes).toEqual(['wall-clock', 'wall-clock', 'queue'])
  })

  test('an owner that fills the queue displaces and delays only its own runs', async () => {
    const host = hostWith({}, { maxWorkers: 1, maxQueued: 4 })
    const cids = await Promise.all(['echo', 'counter'].map((name) => load(host, name)))
    const ended: string[] = []
    const run = (owner: string, cid = '') =>
      host.run({ cid, input: '1', owner }).then(
        () => ended.push(owner),
        ({ code }: OracleError) => ended.push(`${owner} ${code}`),
      )
    const flood = Array.from({ length: 12 }, (_, at) => run('a', cids[at % 2]))
    const others = [run('b', cids[0]), run('c', cids[1])]
    await Promise.all([...flood, ...others])
    const served = ended.filter((each) => !each.endsWith('queue'))
    // The first run starts immediately; then the owners take turns.
    expect([...served.slice(0, 4)].sort()).toEqual(['a', 'a', 'b', 'c'])
    expect(served.slice(4)).toEqual(['a'])
    expect(ended).not.toContain('b queue')
  })

  test('a caller may cancel a run, and a queued run', async () => {
    const host = hostWith({}, { maxWorkers: 1 })
    const loop = await load(host, 'loop')
    const echo = await load(host, 'echo')
    const signal = AbortSignal.timeout(100)
    const running = failureOf(host.run({ cid: loop, input: '{}', signal }))
    const waiting = failureOf(host.run({ cid: echo, input: '1', signal }))
    expect([await running, await waiting].map(({ code }) => code)).toEqual(['aborted', 'aborted'])
    expect((await host.run({ cid: echo, input: '1' })).json).toEqual({ echo: 1 })
    const gone = failureOf(host.run({ cid: echo, input: '1', signal }))
    expect((await gone).code).toBe('aborted')
  })

  test('close ends every thread and every run', async () => {
    const host = hostWith({}, { maxWorkers: 2 })
    const cid = await load(host, 'loop')
    const runs = [1, 2, 3].map(() => failureOf(host.run({ cid, input: '{}' })))
    await new Promise((resolve) => setTimeout(resolve, 50))
    await host.close()
    expect(host.workers()).toBe(0)
    expect((await Promise.all(runs)).map(({ code }) => code)).toEqual(Array(3).fill('aborted'))
  })
})
