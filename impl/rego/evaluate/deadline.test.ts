import { expect, test } from 'vitest'
import { Deadline } from './deadline.ts'

/** Steps of [wall, CPU] milliseconds since the start, and whether the deadline has passed. */
function passes(steps: readonly (readonly [number, number | undefined])[]): boolean[] {
  let [wall, cpu]: readonly [number, number | undefined] = [1_000, 500]
  const deadline = new Deadline({ limitMs: 100, wall: () => wall, cpu: () => cpu })
  return [[0, 0] as const, ...steps].map(([wallMs, cpuMs]) => {
    wall = 1_000 + wallMs
    cpu = cpuMs === undefined ? undefined : 500 + cpuMs
    return deadline.passed()
  })
}

test.each<[string, readonly (readonly [number, number | undefined])[], boolean[]]>([
  [
    'own CPU time passes it',
    [
      [90, 90],
      [101, 101],
    ],
    [false, false, true],
  ],
  [
    'waiting for the machine does not',
    [
      [500, 60],
      [900, 99],
    ],
    [false, false, false],
  ],
  ['waiting ten times the limit does', [[1_001, 60]], [false, true]],
  [
    'CPU time of other threads does not',
    [
      [60, 200],
      [99, 400],
    ],
    [false, false, false],
  ],
  [
    'without CPU time the wall clock decides',
    [
      [90, undefined],
      [101, undefined],
    ],
    [false, false, true],
  ],
])('%s', (_, steps, expected) => {
  expect(passes(steps)).toEqual(expected)
})

test('a given clock decides alone', () => {
  let now = 7
  const deadline = new Deadline({ limitMs: 5, clock: () => now, cpu: () => 0 })
  expect(deadline.passed()).toBe(false)
  now = 13
  expect(deadline.passed()).toBe(true)
})

test('CPU time of this thread counts by default', () => {
  const deadline = new Deadline({ limitMs: 5 })
  expect(deadline.passed()).toBe(false)
  const { user, system } = process.cpuUsage()
  for (;;) {
    const used = process.cpuUsage()
    if (used.user + used.system - user - system > 20_000) break
  }
  expect(deadline.passed()).toBe(true)
})
