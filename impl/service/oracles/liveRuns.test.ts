import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildComponent, buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OracleHost, OracleHostOptions } from './oracleHost.ts'
import { oracleHarness } from './testing/testHarness.ts'

/** Decision O3: each run has its own clocks and random numbers, whatever the build computed. */

const source = `
import { get } from 'service:provider/secrets@0.2.0'
const started = Date.now()
const startedText = new Date().toISOString()
const luck = Math.random()
const id = crypto.randomUUID()
const begun = performance.now()
const bytes = crypto.getRandomValues(new Uint8Array(8))
const secret = new TextDecoder().decode(get().value)
let runs = 0

export function run() {
  runs += 1
  return JSON.stringify({ live: {
    runs, secret, elapsed: performance.now() >= begun,
    times: [started, Date.parse(startedText), Date.now(), new Date().getTime()],
    origin: performance.timeOrigin,
    random: [luck, id, [...bytes].join(), Math.random(), crypto.randomUUID()],
  } })
}
`

type Seen = {
  runs: number
  secret: string
  elapsed: boolean
  times: number[]
  origin: number
  random: unknown[]
}

const bed = oracleHarness({ sharesCache: true })
/** Not before the component was built. */
const begunAt = Date.now()
let folder: string
let component: Uint8Array
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'live-'))
  const path = join(folder, 'oracle.js')
  await writeFile(path, source)
  component = await buildComponent({ name: 'live', path })
})
afterAll(() => rm(folder, { recursive: true }))

async function runs(options: Partial<OracleHostOptions>): Promise<() => Promise<Seen>> {
  const host = bed.hostWith({ wallClockMs: 60_000 }, { maxWorkers: 1, ...options })
  const cid = await bed.load(host, component)
  const secrets = new TextEncoder().encode('of this run')
  return async () => {
    const { json } = await host.run({ cid, input: '{}', secrets: secrets.slice() })
    return json.live as Seen
  }
}

const hour = 3_600_000

describe.each([true, false])(
  'a component made of JavaScript, prepared in advance: %s',
  (prepareAhead) => {
    test('sees the time, the random numbers and the secrets of each run, even in module scope', async () => {
      let now = begunAt + hour
      const ask = await runs({ prepareAhead, clock: { now: () => now } })
      const seen: Seen[] = []
      for (let at = 0; at < 3; at += 1) {
        now = begunAt + (at + 1) * hour
        const each = await ask()
        expect(each).toMatchObject({ runs: 1, secret: 'of this run', elapsed: true })
        for (const time of each.times) {
          expect(time).toBeGreaterThanOrEqual(now - 1)
          expect(time).toBeLessThan(now + hour)
        }
        // The difference of two clocks that are read one after the other, on a busy machine.
        expect(each.origin).toBeGreaterThan(now - 60_000)
        expect(each.origin).toBeLessThan(now + hour)
        seen.push(each)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      const numbers = seen.flatMap(({ random }) => random)
      expect(new Set(numbers).size).toBe(numbers.length)
    })
  },
)

test('a replayed run sees the same values', async () => {
  const replay = { recordedTime: true, clock: { now: () => begunAt - hour } }
  const random = (length: number) => new Uint8Array(length).fill(7)
  const [first, second] = [await runs({ ...replay, random }), await runs({ ...replay, random })]
  const seen = await first()
  const times = [...seen.times, seen.origin]
  expect(times).toEqual(times.map(() => expect.closeTo(begunAt - hour, -1)))
  expect(await second()).toEqual(seen)
  expect(await first()).toEqual(seen)
  const other = await runs({ ...replay, random: (length) => new Uint8Array(length).fill(8) })
  expect((await other()).random).not.toEqual(seen.random)
})

describe('a component of another toolchain', () => {
  const [readClock, takeRandom] = [10, 11]

  /** Results of the steps of a probe; the format is documented in the probe. */
  const probe = async (host: OracleHost, cid: string, steps: readonly number[]) => {
    const tape = Buffer.from([...steps, 0]).map((byte) => byte ^ 0x55)
    const input = JSON.stringify({ tape: Buffer.from(tape).toString('hex') })
    const { json } = await host.run({ cid, input })
    const { done } = json.probe as { done: { clock?: string; random?: string }[] }
    return {
      times: done.flatMap(({ clock }) => (clock === undefined ? [] : [unixMs(clock)])),
      random: done.flatMap(({ random }) => random ?? []),
    }
  }
  const unixMs = (clock: string) => {
    const bytes = Buffer.from(clock, 'hex')
    const ms = Math.floor(bytes.readUInt32LE(8) / 1e6)
    return Number(bytes.readBigUInt64LE(0)) * 1_000 + ms
  }

  test('sees them too', async () => {
    let now = 1_700_000_000_250
    const host = bed.hostWith({}, { clock: { now: () => now }, recordedTime: true })
    const cid = await bed.load(host, await buildOracle('probe'))
    const steps = [readClock, takeRandom, takeRandom]
    const first = await probe(host, cid, steps)
    expect(first.times).toEqual([now])
    now += 1_500_000
    const second = await probe(host, cid, steps)
    expect(second.times).toEqual([now])
    expect(new Set([...first.random, ...second.random]).size).toBe(4)
  })

  test('sees time pass during its run', async () => {
    const host = bed.hostWith({ wallClockMs: 60_000 })
    const cid = await bed.load(host, await buildOracle('probe'))
    const before = Date.now()
    const { times } = await probe(host, cid, Array<number>(2_000).fill(readClock))
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times[0]).toBeGreaterThanOrEqual(before)
    expect(times.at(-1)).toBeLessThanOrEqual(Date.now() + 1)
  })
})
