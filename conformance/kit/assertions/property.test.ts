import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CheckContext } from '../../core/context.ts'
import { checkProperty } from './property.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function example(): { readonly context: CheckContext; readonly observed: string[] } {
  const observed: string[] = []
  const context = {
    seed: () => 7,
    runs: (count: number) => count,
    cases: { begins: () => {}, failed: () => {} },
    observe: (text: string) => observed.push(text),
  }
  return { context: context as unknown as CheckContext, observed }
}

/** How many of 100 cases are tried if each takes this long. */
async function tried(
  caseMs: number,
): Promise<{ readonly cases: number; readonly observed: string[] }> {
  const { context, observed } = example()
  let cases = 0
  await checkProperty(context, 'numbers', fc.nat(), { runs: 100 }, async () => {
    cases += 1
    vi.advanceTimersByTime(caseMs)
  })
  return { cases, observed }
}

test('a property of a fast target has all its cases', async () => {
  expect(await tried(500)).toEqual({ cases: 100, observed: [] })
})

test('one of a slow target ends after a minute, and the report says so', async () => {
  const { cases, observed } = await tried(3_000)
  expect(cases).toBe(21)
  expect(observed).toEqual(['numbers: 21 of 100 cases, for lack of time'])
})

test('has ten cases however slow the target is', async () => {
  expect((await tried(30_000)).cases).toBe(10)
})

test('a failure after a minute is reduced to its smallest case', async () => {
  const { context } = example()
  let cases = 0
  const failing = checkProperty(context, 'numbers', fc.nat(1_000), { runs: 100 }, async (value) => {
    cases += 1
    vi.advanceTimersByTime(cases < 8 ? 9_000 : 1)
    if (cases >= 8 && value >= 17) throw new Error(`${value} is too large`)
  })
  await expect(failing).rejects.toMatchObject({ counterexample: expect.stringMatching(/^17 /) })
})
