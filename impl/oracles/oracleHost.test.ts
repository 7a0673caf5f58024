import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from '@bytecodealliance/jco'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type FixtureHost,
  fixtureApiKey,
  startFixtureHost,
} from '../../fixtures/host/fixtureHost.ts'
import { buildOracle } from '../../fixtures/oracles/build.ts'
import { contentIdOf } from './contentId.ts'
import type { OracleLimits } from './limits.ts'
import { OracleError } from './oracleError.ts'
import { createOracleHost, type OracleHost, type OracleHostOptions } from './oracleHost.ts'

let cacheDir: string
let world: FixtureHost
const hosts: OracleHost[] = []

beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'oracles-'))
  world = await startFixtureHost()
  // The first build of a checkout takes some seconds; a test has less patience.
  await Promise.all(['price', 'sanctions'].map((name) => buildOracle(name)))
})
beforeEach(() => world.reset())
afterAll(async () => {
  await Promise.all(hosts.map((host) => host.close()))
  await world.stop()
  await rm(cacheDir, { recursive: true })
})

function hostWith(limits: Partial<OracleLimits> = {}, more: Partial<OracleHostOptions> = {}) {
  const egress = { allowedHosts: [world.hostPort] }
  const host = createOracleHost({ clock: Date, cacheDir, egress, limits, ...more })
  hosts.push(host)
  return host
}

async function load(host: OracleHost, name: string): Promise<string> {
  const component = await buildOracle(name)
  const cid = contentIdOf(component)
  await host.load(component, { cid, label: 'PolicyData 0xAbC' })
  return cid
}

async function failureOf(promise: Promise<unknown>): Promise<OracleError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(OracleError)
  expect((error as OracleError).message).toMatch(/^WASM execution failed: ./)
  return error as OracleError
}

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const secrets = () => bytes({ PRICE_API_KEY: fixtureApiKey, PRICE_FEED_URL: world.url })

describe('an oracle in component text', () => {
  test('answers, as text and as the object it is', async () => {
    const host = hostWith()
    const cid = await load(host, 'echo')
    const { output, json, stats } = await host.run({ cid, input: '{"a":[1,"é"]}' })
    expect(output).toBe('{"echo":{"a":[1,"é"]}}')
    expect(json).toEqual({ echo: { a: [1, 'é'] } })
    expect(stats.httpCalls).toBe(0)
  })

  test('takes an input larger than its first page of memory', async () => {
    const host = hostWith()
    const cid = await load(host, 'echo')
    const text = 'x'.repeat(300_000)
    const { json } = await host.run({ cid, input: JSON.stringify(text) })
    expect(json).toEqual({ echo: text })
  })

  test('starts anew for every run', async () => {
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

describe('an oracle in JavaScript', () => {
  const input = '{"symbol":"ETH"}'

  test('reaches its feed with its secret in a header', async () => {
    const host = hostWith()
    const cid = await load(host, 'price')
    const { json, stats } = await host.run({ cid, input, secrets: secrets() })
    expect(json).toMatchObject({ price_feed: { symbol: 'ETH', price: 2000 } })
    expect(stats.httpCalls).toBe(1)
    expect(world.requests()).toEqual([{ method: 'GET', path: '/price/ETH', keyMatched: true }])
  })

  test('is told that there are no secrets', async () => {
    const host = hostWith()
    const cid = await load(host, 'price')
    const { json } = await host.run({ cid, input })
    expect(json).toEqual({
      price_feed: {
        error: 'no secrets are stored for this policy client and policy data',
      },
    })
    expect(world.requests()).toEqual([])
  })

  test.each([
    ['error', 'price feed answered 500'],
    ['huge', 'the response is larger than 1 MiB'],
    ['redirect', 'is not followed: it leaves the host'],
  ] as const)('fails closed when its feed is in mode %s', async (mode, text) => {
    const host = hostWith()
    const cid = await load(host, 'price')
    world.setMode(mode)
    const { json } = await host.run({ cid, input, secrets: secrets() })
    expect(json).toEqual({ price_feed: { error: expect.stringContaining(text) } })
  })

  test('is ended while it waits for a feed that is too slow', async () => {
    const host = hostWith({ wallClockMs: 300 })
    const cid = await load(host, 'price')
    world.setMode('slow')
    const error = await failureOf(host.run({ cid, input, secrets: secrets() }))
    expect(error.code).toBe('wall-clock')
  })

  test('is not let out to hosts that are not listed', async () => {
    const host = hostWith({}, { egress: {} })
    const cid = await load(host, 'price')
    const { json } = await host.run({ cid, input, secrets: secrets() })
    expect(json).toEqual({
      price_feed: { error: 'requests to 127.0.0.1 are refused: not a public address' },
    })
    expect(world.requests()).toEqual([])
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

  test('is stopped when it loops, and its thread replaced', async () => {
    const host = hostWith({ wallClockMs: 200 }, { maxWorkers: 1 })
    const loop = await load(host, 'loop')
    const echo = await load(host, 'echo')
    const looping = host.run({ cid: loop, input: '{}' })
    const queued = host.run({ cid: echo, input: '1' })
    const error = await failureOf(looping)
    expect(error.code).toBe('wall-clock')
    expect(error.details).toBe('the run took longer than 200 ms')
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
      'the component is limited to 4 MiB of memory: it held 3.1 MiB and trapped: unreachable',
    )
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
  })

  test('is refused when it starts with more memory than the limit', async () => {
    const host = hostWith({ memoryBytes: 1024 * 1024 })
    const error = await failureOf(load(host, 'price'))
    expect(error.code).toBe('memory')
    expect(error.details).toMatch(/starts with \d+ pages of linear memory, the limit is 16/)
  })
})

describe('what a component is linked against', () => {
  /** A component around one core function `run`, and what it imports. */
  const guest = (parts: { imports?: string; lowered?: string; linked?: string; core: string }) =>
    parse(`(component
      ${parts.imports ?? ''}
      (core module $libc
        (memory (export "memory") 1)
        (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 1024)))
      (core instance $libc (instantiate $libc))
      ${parts.lowered ?? ''}
      (core module $oracle
        (import "libc" "memory" (memory 1))
        ${parts.core})
      (core instance $i (instantiate $oracle (with "libc" (instance $libc)) ${parts.linked ?? ''}))
      (func $run (param "input" string) (result (result string (error string)))
        (canon lift (core func $i "run")
          (memory (core memory $libc "memory"))
          (realloc (core func $libc "cabi_realloc"))))
      (export "run" (func $run)))`)

  const secretsGuest = () =>
    guest({
      imports: `(import "service:provider/secrets@0.2.0" (instance $secrets
        (type $response-type (record (field "value" (list u8))))
        (export "secret-response" (type $response (eq $response-type)))
        (export "get" (func (result (result $response (error string)))))))`,
      lowered: `(core func $get (canon lower (func $secrets "get")
        (memory (core memory $libc "memory")) (realloc (core func $libc "cabi_realloc"))))`,
      linked: '(with "secrets" (instance (export "get" (func $get))))',
      // The secrets become the text of the failure: tag, pointer and length stand where they must.
      core: `(import "secrets" "get" (func $get (param i32)))
        (func (export "run") (param i32 i32) (result i32)
          (call $get (i32.const 0))
          (i32.store (i32.const 0) (i32.const 1))
          (i32.const 0))`,
    })

  async function loadBytes(host: OracleHost, component: Uint8Array): Promise<string> {
    const cid = contentIdOf(component)
    await host.load(component, { cid, label: 'PolicyData 0xAbC' })
    return cid
  }

  test('secrets that a guest puts into its failure do not come out', async () => {
    const host = hostWith()
    const cid = await loadBytes(host, await secretsGuest())
    const error = await failureOf(host.run({ cid, input: '{}', secrets: secrets() }))
    expect(error.code).toBe('result')
    expect(error.message).toContain('[redacted]')
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain(fixtureApiKey)
  })

  test('without secrets, get answers with its err case', async () => {
    const host = hostWith()
    const cid = await loadBytes(host, await secretsGuest())
    const error = await failureOf(host.run({ cid, input: '{}' }))
    expect(error.details).toBe('no secrets are stored for this policy client and policy data')
  })

  test('tlsn is linked, and answers that it is not available', async () => {
    const host = hostWith()
    const component = await guest({
      imports: `(import "service:provider/tlsn@0.2.0" (instance $tlsn
        (export "verify-from-cid" (func (param "cid" string) (result (result string (error string)))))))`,
      lowered: `(core func $verify (canon lower (func $tlsn "verify-from-cid")
        (memory (core memory $libc "memory")) (realloc (core func $libc "cabi_realloc"))))`,
      linked: '(with "tlsn" (instance (export "verify" (func $verify))))',
      core: `(import "tlsn" "verify" (func $verify (param i32 i32 i32)))
        (func (export "run") (param $at i32) (param $length i32) (result i32)
          (call $verify (local.get $at) (local.get $length) (i32.const 0))
          (i32.const 0))`,
    })
    const cid = await loadBytes(host, component)
    const error = await failureOf(host.run({ cid, input: 'bafy' }))
    expect(error.details).toBe('TLSNotary verification is not available')
  })

  test('the clock of WASI shows the time of the host, of any 0.2 version', async () => {
    const host = hostWith({}, { clock: { now: () => 1_700_000_000_000 } })
    const component = await guest({
      imports: `(import "wasi:clocks/wall-clock@0.2.7" (instance $clock
        (type $datetime-type (record (field "seconds" u64) (field "nanoseconds" u32)))
        (export "datetime" (type $datetime (eq $datetime-type)))
        (export "now" (func (result $datetime)))))`,
      lowered: `(core func $now (canon lower (func $clock "now")
        (memory (core memory $libc "memory"))))`,
      linked: '(with "clock" (instance (export "now" (func $now))))',
      core: `(import "clock" "now" (func $now (param i32)))
        (data (i32.const 64) "{}")
        (func (export "run") (param i32 i32) (result i32)
          (call $now (i32.const 0))
          (if (i64.ne (i64.load (i32.const 0)) (i64.const 1700000000)) (then (unreachable)))
          (i32.store (i32.const 16) (i32.const 0))
          (i32.store (i32.const 20) (i32.const 64))
          (i32.store (i32.const 24) (i32.const 2))
          (i32.const 16))`,
    })
    const cid = await loadBytes(host, component)
    expect((await host.run({ cid, input: '{}' })).json).toEqual({})
  })
})

describe('loading', () => {
  test('a component that imports wasi:http is refused, naming the import and the PolicyData', async () => {
    const error = await failureOf(load(hostWith(), 'wasi-http'))
    expect(error.code).toBe('component')
    expect(error.message).toBe(
      'WASM execution failed: the component of PolicyData 0xAbC imports wasi:http/types@0.2.0, ' +
        'which is not available: call service:provider/http@0.2.0 instead',
    )
  })

  test.each([
    ['no WebAssembly', Uint8Array.of(1, 2, 3), 'the bytes are no WebAssembly component'],
    ['a core module', Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0), 'no WebAssembly component'],
    [
      'a component that is cut off',
      Uint8Array.of(0, 97, 115, 109, 13, 0, 1, 0, 1, 50, 0),
      'the component is not valid',
    ],
  ])('%s is refused', async (_case, component, text) => {
    const loading = hostWith().load(component, { cid: contentIdOf(component) })
    expect((await failureOf(loading)).details).toContain(text)
  })

  test('a component over the limit is refused', async () => {
    const error = await failureOf(load(hostWith({ componentBytes: 100 }), 'echo'))
    expect(error.details).toBe('the component is larger than 100 bytes')
  })

  test('a second host finds the component on disk, and asks nobody for it', async () => {
    const cid = await load(hostWith(), 'echo')
    const host = hostWith()
    await host.load(() => Promise.reject(new Error('asked for')), { cid })
    expect((await host.run({ cid, input: '1' })).json).toEqual({ echo: 1 })
  })

  test('a failed load is not remembered', async () => {
    const host = hostWith()
    const component = await buildOracle('plain-string')
    const cid = contentIdOf(Uint8Array.of(...component, 0))
    await expect(host.load(() => Promise.reject(new Error('gone')), { cid })).rejects.toThrow(
      'gone',
    )
    await host.load(component, { cid })
    expect((await host.run({ cid, input: '1' })).json).toEqual({ plain: { ok: true } })
  })

  test('what is not loaded is not run', async () => {
    const error = await failureOf(hostWith().run({ cid: 'bafyunknown', input: '{}' }))
    expect(error.details).toBe('the component bafyunknown is not loaded')
  })

  test('the component used longest ago makes room', async () => {
    const host = hostWith({}, { maxLoaded: 2 })
    const [echo, trap] = [await load(host, 'echo'), await load(host, 'trap')]
    await host.run({ cid: echo, input: '1' })
    await load(host, 'loop')
    expect((await host.run({ cid: echo, input: '1' })).json).toEqual({ echo: 1 })
    expect((await failureOf(host.run({ cid: trap, input: '1' }))).details).toContain('not loaded')
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
    'input %j makes an output that is no JSON',
    async (input) => {
      const host = hostWith()
      const cid = await load(host, 'echo')
      expect((await failureOf(host.run({ cid, input }))).code).toBe('not-json')
    },
  )
})

describe('many runs', () => {
  test('twenty at once on two threads, each with its own answer', async () => {
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
    const host = hostWith({ wallClockMs: 300 }, { maxWorkers: 2 })
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

  test('too many in waiting are turned away', async () => {
    const host = hostWith({ wallClockMs: 300 }, { maxWorkers: 1, maxQueued: 1 })
    const cid = await load(host, 'loop')
    const runs = [1, 2, 3].map(() => failureOf(host.run({ cid, input: '{}' })))
    const codes = (await Promise.all(runs)).map(({ code }) => code)
    expect(codes).toEqual(['wall-clock', 'wall-clock', 'queue'])
  })

  test('a caller may give up, on a run and on waiting for one', async () => {
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
