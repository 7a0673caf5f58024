import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Attack } from './attacks/attack.ts'
import { depth } from './attacks/depth.ts'
import { growth } from './attacks/growth.ts'
import { loops } from './attacks/loops.ts'
import { patterns } from './attacks/patterns.ts'
import { sources } from './attacks/sources.ts'
import { type Ending, Trials } from './trials.ts'

/**
 * Policies written to exhaust the engine, in a thread with little heap and the stack of a main
 * thread. They end in a value or an error of Rego, within the deadline by processor time.
 */
let trials: Trials
beforeAll(() => {
  trials = new Trials({ timeout: 60_000, heapMb: 384 })
})
afterAll(() => trials.close())

const DEADLINE = 400
/** What never ends reaches any deadline; no other limit is meant to end it before. */
const LOOP_DEADLINE = 100
/** A quarter of the deadline, and what one collection of garbage may take. */
const LATE = DEADLINE * 1.25 + 400
/**
 * What an operation takes, it takes each time; what a collection of garbage takes beside other
 * processes, it does not. The least of three is held against the bound.
 */
const measured = { retry: 2 }
const MEMORY = 64 * 1024 * 1024

const attack = (
  { source, query, inputJson, dataJson }: Attack,
  memoryBytes: number,
  { deadlineMs = DEADLINE, inThread = trials } = {},
) =>
  inThread.run({
    modules: [{ name: 'a.rego', source }],
    query: query ?? 'data.a.p',
    limits: { deadlineMs, steps: 1e12, memoryBytes },
    ...(inputJson === undefined ? {} : { inputJson }),
    ...(dataJson === undefined ? {} : { dataJson }),
  })

function mustEnd(ending: Ending, kinds: readonly string[]): void {
  const { kind, message } = { message: '', ...ending }
  expect(kinds, message.slice(0, 500)).toContain(kind)
}

describe('endless work stops at the deadline', measured, () => {
  test.each(loops.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    const ending = await attack(one, 1e12, { deadlineMs: LOOP_DEADLINE })
    mustEnd(ending, ['limit'])
    expect('ms' in ending && ending.ms).toBeLessThan(LATE + 600 - (DEADLINE - LOOP_DEADLINE))
  })
})

describe('growing values stop at the memory limit', measured, () => {
  // Most reach a limit of this size before the deadline, which would end them too.
  const memoryBytes = MEMORY / 4
  let small: Trials
  beforeAll(() => {
    // As much heap for each byte of the limit as above, and what the engine itself takes.
    small = new Trials({ timeout: 60_000, heapMb: 384 / 4 + 16 })
  })
  afterAll(() => small.close())
  test.each(growth.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    const ending = await attack(one, memoryBytes, { inThread: small })
    mustEnd(ending, ['limit', 'error', 'value'])
    expect('ms' in ending && ending.ms).toBeLessThan(LATE)
  })
})

describe('malicious operands do not block a built-in', measured, () => {
  test.each(patterns.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    const ending = await attack(one, MEMORY)
    mustEnd(ending, ['limit', 'error', 'value'])
    expect('ms' in ending && ending.ms).toBeLessThan(LATE)
  })
})

describe('depth does not overflow the stack', () => {
  test.each(depth.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    mustEnd(await attack(one, MEMORY), ['limit', 'error', 'value'])
  })
})

describe('sources with excessive nesting, repetition or length', measured, () => {
  test.each(sources.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    const ending = await attack(one, MEMORY)
    mustEnd(ending, ['limit', 'error', 'value'])
    // The compiler has no deadline: its time depends on the size of the source.
    expect('ms' in ending && ending.ms).toBeLessThan(4_000)
  })
})
