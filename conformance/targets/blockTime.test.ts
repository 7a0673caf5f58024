import fc from 'fast-check'
import { overclaimingTarget } from 'polgate-self-test/nullTargets.ts'
import { expect, test } from 'vitest'
import { comparedBlocks, probeBlockTime } from './blockTime.ts'

const target = overclaimingTarget('http://chain.invalid')

/** A node whose blocks have these times, unix seconds, from block 0. */
const nodeWith = (times: readonly number[]): typeof fetch =>
  (async (_: unknown, init: RequestInit) => {
    const [tag] = JSON.parse(String(init.body)).params
    const number = tag === 'latest' ? times.length - 1 : Number(tag)
    const block = {
      number: `0x${number.toString(16)}`,
      timestamp: `0x${times[number]?.toString(16)}`,
    }
    return Response.json({ jsonrpc: '2.0', id: 1, result: block })
  }) as typeof fetch

const began = 1_800_000_000
const every = (seconds: number, count: number) =>
  Array.from({ length: count }, (_, at) => began + at * seconds)

test('is the time between the latest blocks, whatever came before', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(1_000), { maxLength: 9 }),
      fc.integer({ min: 0, max: 30 }),
      async (earlier, seconds) => {
        const before = earlier.map((ago) => began - ago).sort((a, b) => a - b)
        const times = [...before, ...every(seconds, comparedBlocks + 1)]
        expect(await probeBlockTime(target, nodeWith(times))).toBe(seconds * 1_000)
      },
    ),
  )
})

test('is known of a chain with few blocks', async () => {
  expect(await probeBlockTime(target, nodeWith(every(12, 1)))).toBe(0)
  expect(await probeBlockTime(target, nodeWith(every(12, 2)))).toBe(12_000)
})

test('is not affected by an interval that is missed', async () => {
  const times = [began, began + 12, began + 36, began + 48, began + 60]
  expect(await probeBlockTime(target, nodeWith(times))).toBe(12_000)
})

test('is 0 where two blocks were mined on demand, however long the chain was idle', async () => {
  const restored = [began - 86_400, began, began, began + 7, began + 8, began + 8]
  expect(await probeBlockTime(target, nodeWith(restored))).toBe(0)
})

test('is bounded where each of the latest blocks was mined on demand after a pause', async () => {
  expect(await probeBlockTime(target, nodeWith(every(86_400, 6)))).toBe(30_000)
})

test('is 0 without a chain, and without an answer that can be read', async () => {
  const { chain: _, ...without } = target
  expect(await probeBlockTime(without, nodeWith([]))).toBe(0)
  const unreachable = (() => Promise.reject(new TypeError('fetch failed'))) as typeof fetch
  expect(await probeBlockTime(target, unreachable)).toBe(0)
  for (const result of [null, {}, { number: '0x5' }, { number: 'latest', timestamp: '0x5' }]) {
    const wrong = (async () => Response.json({ jsonrpc: '2.0', id: 1, result })) as typeof fetch
    expect(await probeBlockTime(target, wrong)).toBe(0)
  }
})
