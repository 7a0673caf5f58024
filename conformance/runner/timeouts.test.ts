import { expect, test } from 'vitest'
import { ConformanceError, NotInTime } from '../core/conformanceError.ts'
import { isTimeout } from './timeouts.ts'

const local = { ms: 31_000, gatewayUrl: 'http://127.0.0.1:8600' }
const wrong = (observed: string, cause?: unknown) =>
  new ConformanceError('result.error is wrong', { expected: 'another error', observed, cause })
const gaveUp = wrong('Simulation timed out after 30 s')

test.each([
  ['an event that did not come', new NotInTime('a', { expected: 'b', observed: 'c' }), local],
  ['one in a case of a property', wrong('c', new DOMException('slow', 'TimeoutError')), local],
  ['a gateway of this machine that gave up', gaveUp, local],
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
