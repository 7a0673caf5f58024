import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createLoopWatch, loopWatch } from './loopWatch.ts'

/** A watch at a time of its own, whose loop ran on time up to `ms` unless it stalled. */
function watchedLoop() {
  let time = 0
  const watch = createLoopWatch(() => time)
  const run = (ms: number) => {
    for (const end = time + ms; time < end; ) {
      time += 20
      watch.tick()
    }
  }
  const stall = (ms: number) => {
    time += ms
    watch.tick()
  }
  return { watch, run, stall, pass: (ms: number) => (time += ms) }
}

test('a loop on time is never late', () => {
  const { watch, run } = watchedLoop()
  run(1_000)
  expect(watch.lateBy(500)).toBe(0)
  expect(watch.stalled(0, 1_000)).toBe(0)
})

test('what is handled during or right after a stall may have come at its beginning', () => {
  const { watch, run, stall } = watchedLoop()
  run(1_000)
  stall(3_000)
  run(1_000)
  expect(watch.lateBy(4_000)).toBe(3_000)
  expect(watch.lateBy(4_015)).toBe(3_015)
  expect(watch.lateBy(2_000)).toBe(1_000)
  expect(watch.lateBy(4_500)).toBe(0)
  expect(watch.lateBy(990)).toBe(0)
})

test('a loop is late while it catches up, longer after a long stall', () => {
  const { watch, run, stall } = watchedLoop()
  run(100)
  stall(900)
  run(1_000)
  expect(watch.lateBy(1_090)).toBe(990)
  expect(watch.lateBy(1_091)).toBe(0)
  stall(100)
  run(1_000)
  expect(watch.lateBy(2_150)).toBe(150)
  expect(watch.lateBy(2_151)).toBe(0)
})

test('events that wait for each other after a stall prolong it', () => {
  const { watch, run, stall } = watchedLoop()
  run(100)
  stall(500)
  stall(200)
  expect(watch.lateBy(800)).toBe(700)
})

test('a stall counts before the tick that ends it', () => {
  const { watch, run, pass } = watchedLoop()
  run(100)
  pass(400)
  expect(watch.lateBy(500)).toBe(400)
  expect(watch.stalled(0, 500)).toBe(400)
})

test('stalls of a time are added, short ones only where asked', () => {
  const { watch, run, stall } = watchedLoop()
  run(100)
  stall(50)
  run(100)
  stall(400)
  run(100)
  expect(watch.stalled(0, 1_000)).toBe(450)
  expect(watch.stalled(0, 1_000, 100)).toBe(400)
  expect(watch.stalled(0, 120)).toBe(50)
})

test('a blocked loop of this thread is noticed', async () => {
  const watch = loopWatch()
  await new Promise((resolve) => setTimeout(resolve, 50))
  const from = performance.now()
  while (performance.now() - from < 300);
  const to = performance.now()
  expect(watch.lateBy(to)).toBeGreaterThanOrEqual(300)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(watch.lateBy(to)).toBeGreaterThanOrEqual(300)
  expect(watch.stalled(from, to)).toBeGreaterThanOrEqual(290)
})

test('a clock that a test replaces for a while is no stall', async () => {
  const watch = loopWatch()
  // This process may still be catching up after a stall of another test.
  await expect.poll(() => watch.lateBy(performance.now())).toBe(0)
  const from = performance.now()
  vi.useFakeTimers({ toFake: ['performance'] })
  await pause(50)
  vi.useRealTimers()
  await pause(50)
  const to = performance.now()
  expect(watch.stalled(from, to, to - from)).toBe(0)
  expect(watch.lateBy(to)).toBeLessThan(to - from)
})
