import { expect, test } from 'vitest'
import { ConformanceError, NotInTime } from '../core/conformanceError.ts'
import { createLoopWatch } from '../core/loopWatch.ts'
import { isTimeout, ownLateness } from './timeouts.ts'

const local = { ms: 31_000, gatewayUrl: 'http://127.0.0.1:8600' }
const wrong = (observed: string, cause?: unknown) =>
  new ConformanceError('result.error is wrong', { expected: 'another error', observed, cause })
const gaveUp = wrong('Simulation timed out after 30 s')

test.each([
  ['an event that did not come', new NotInTime('a', { expected: 'b', observed: 'c' }), local],
  ['one in a case of a property', wrong('c', new DOMException('slow', 'TimeoutError')), local],
  ['a gateway of this machine that gave up', gaveUp, local],
  [
    'a task that timed out, as the subject says',
    new ConformanceError('whether "allows" fails (Task timeout) is wrong', {
      expected: 'false',
      observed: 'true',
    }),
    local,
  ],
  ['a task that timed out', wrong('{"status":"timeout","error":"Task timeout"}'), local],
])('%s is a timeout', (_, error, facts) => {
  expect(isTimeout(error, facts)).toBe(true)
})

test.each([
  ['any other error', wrong('Task rejected'), local],
  ['a gateway that gave up at once', gaveUp, { ...local, ms: 40 }],
  ['a gateway elsewhere', gaveUp, { ...local, gatewayUrl: 'https://gateway.example' }],
  ['a refusal to test', new Error('timed out'), local],
])('%s is none', (_, error, facts) => {
  expect(isTimeout(error, facts)).toBe(false)
})

test.each([
  ['no stall', [], 1_000, undefined],
  ['stalls of cryptography', [90, 90], 1_000, undefined],
  ['a stall of less than a fifth', [190], 1_000, undefined],
  ['one of a fifth', [200], 1_000, '200 ms'],
  ['several, together a fifth', [120, 120], 1_000, '240 ms'],
  ['a stall at the end', [0, 0, 0, 0, 110], 1_000, '110 ms'],
] as const)('own lateness: %s', (_, stalls, ms, expected) => {
  let time = 0
  const loop = createLoopWatch(() => time)
  // On time but for one stall in each fifth; the last one ends when the check does.
  for (const [at, end] of [0.2, 0.4, 0.6, 0.8, 1].entries()) {
    const stall = stalls[at] ?? 0
    for (; time + stall < end * ms; loop.tick()) time += Math.min(20, end * ms - time - stall)
    time += stall
    loop.tick()
  }
  const text = ownLateness(loop, 0, time)
  if (expected === undefined) expect(text).toBeUndefined()
  else expect(text).toBe(`the suite itself handled no event for ${expected}`)
})
