import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { describe, expect, test } from 'vitest'
import type { OracleHost } from './oracleHost.ts'
import { failureOf, oracleHarness } from './testing/testHarness.ts'

const bed = oracleHarness({ sharesCache: true })
const { hostWith } = bed
const load = async (host: OracleHost, name: string) => bed.load(host, await buildOracle(name))

describe('an oracle in component text', () => {
  test('returns its output as text and as an object', async () => {
    const host = hostWith()
    const cid = await load(host, 'echo')
    const { output, json, stats } = await host.run({ cid, input: '{"a":[1,"é"]}' })
    expect(output).toBe('{"echo":{"a":[1,"é"]}}')
    expect(json).toEqual({ echo: { a: [1, 'é'] } })
    expect(stats.httpCalls).toBe(0)
  })

  test('accepts an input larger than its first page of memory', async () => {
    const host = hostWith()
    const cid = await load(host, 'echo')
    const text = 'x'.repeat(300_000)
    const { json } = await host.run({ cid, input: JSON.stringify(text) })
    expect(json).toEqual({ echo: text })
  })

  test('starts from a new instance for every run', async () => {
    const host = hostWith({}, { maxWorkers: 1 })
    const cid = await load(host, 'counter')
    for (let run = 0; run < 2; run += 1) {
      expect((await host.run({ cid, input: '{}' })).json).toEqual({ counter: { runs: 1 } })
    }
  })

  test('may be built against a plain string', async () => {
    const host = hostWith()
    const cid = await load(host, 'plain-string')
    expect((await host.run({ cid, input: '{}' })).json).toEqual({ plain: { ok: true } })
  })
})

describe('an oracle that fails', () => {
  test.each([
    ['trap', 'trap', 'WASM execution failed: trap: unreachable'],
    ['failure', 'result', 'WASM execution failed: the feed is closed'],
    ['not-json', 'not-json', 'WASM execution failed: the output is not JSON'],
  ])('%s', async (name, code, message) => {
    const host = hostWith()
    const cid = await load(host, name)
    const error = await failureOf(host.run({ cid, input: '{}' }))
    expect(error).toMatchObject({ code, message })
  })

  test('is stopped in an endless loop, and its thread is replaced', async () => {
    const host = hostWith({ wallClockMs: 1_500 }, { maxWorkers: 1 })
    const loop = await load(host, 'loop')
    const echo = await load(host, 'echo')
    const looping = host.run({ cid: loop, input: '{}' })
    const queued = host.run({ cid: echo, input: '1' })
    const error = await failureOf(looping)
    expect(error.code).toBe('wall-clock')
    expect(error.details).toBe('the run took longer than 1500 ms')
    expect((await queued).json).toEqual({ echo: 1 })
    expect(host.workers()).toBe(1)
  })

  test('is refused memory over its limit', async () => {
    const host = hostWith({ memoryBytes: 4 * 1024 * 1024 })
    const cid = await load(host, 'grow')
    const before = process.memoryUsage().rss
    const error = await failureOf(host.run({ cid, input: '{}' }))
    expect(error.code).toBe('memory')
    expect(error.details).toBe(
      'the component is limited to 4 MiB of memory: it used 3.1 MiB when it trapped: unreachable',
    )
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
  })

  test('is rejected when its initial memory exceeds the limit', async () => {
    const host = hostWith({ memoryBytes: 1024 * 1024 })
    const error = await failureOf(load(host, 'price'))
    expect(error.code).toBe('memory')
    expect(error.details).toMatch(/starts with \d+ pages of linear memory, the limit is 16/)
  })
})

describe('limits of input and output', () => {
  test('input', async () => {
    const host = hostWith({ inputBytes: 1024 })
    const cid = await load(host, 'echo')
    await host.run({ cid, input: '1'.padEnd(1024) })
    const error = await failureOf(host.run({ cid, input: '1'.padEnd(1025) }))
    expect(error).toMatchObject({ code: 'input', details: 'the input is larger than 1 KiB' })
  })

  test('output', async () => {
    const host = hostWith({ outputBytes: 1024 })
    const cid = await load(host, 'echo')
    const error = await failureOf(host.run({ cid, input: '1'.padEnd(1024) }))
    expect(error).toMatchObject({
      code: 'output',
      details: 'the output of 1033 bytes is larger than 1 KiB',
    })
  })

  test.each(['', 'x', '1}', '{"a":1}}'])(
    'input %j causes an output that is not JSON',
    async (input) => {
      const host = hostWith()
      const cid = await load(host, 'echo')
      expect((await failureOf(host.run({ cid, input }))).code).toBe('not-json')
    },
  )
})
