import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cpuTimeMs, createThreadClock } from './threadTime.mjs'
import { startWorkTimer, type WorkTimerOptions } from './workTimer.ts'

describe('a thread with little CPU time', () => {
  let cpuMs: number
  let ended: string[]
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    cpuMs = 7_000
    ended = []
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const start = (more: Partial<WorkTimerOptions> = {}) =>
    startWorkTimer({
      timeFile: 'of a test',
      workMs: 1_000,
      wallMs: 60_000,
      cpu: () => cpuMs,
      onCpuLimit: () => void ended.push('spent'),
      onWallClockLimit: () => void ended.push('late'),
      ...more,
    })
  const pass = (ms: number, share: number) => {
    for (let at = 0; at < ms; at += 10) {
      cpuMs += 10 * share
      vi.advanceTimersByTime(10)
    }
  }

  test('is ended by its CPU time, however long that takes', () => {
    start()
    pass(9_900, 0.1)
    expect(ended).toEqual([])
    pass(300, 0.1)
    expect(ended).toEqual(['spent'])
    pass(100_000, 1)
    expect(ended).toEqual(['spent'])
  })

  test('is ended immediately when it uses a whole processor', () => {
    start()
    pass(1_050, 1)
    expect(ended).toEqual(['spent'])
  })

  test('reaches the wall-clock limit when it gets no CPU time', () => {
    start()
    pass(59_900, 0.001)
    expect(ended).toEqual([])
    pass(200, 0.001)
    expect(ended).toEqual(['late'])
  })

  test('is charged for its waiting time', () => {
    let waited = 0
    start({ waitedMs: () => waited })
    pass(500, 0)
    waited = 999
    pass(600, 0)
    expect(ended).toEqual([])
    waited = 1_001
    pass(50, 0)
    expect(ended).toEqual(['spent'])
  })

  test('is limited by the wall clock where its CPU time cannot be read', () => {
    start({ cpu: () => undefined })
    pass(1_050, 0)
    expect(ended).toEqual(['spent'])
  })

  test('is not ended after it is done', () => {
    const stop = start()
    pass(500, 1)
    stop()
    pass(100_000, 1)
    expect(ended).toEqual([])
  })
})

test.runIf(process.platform === 'linux')('the CPU time is that of one thread', async () => {
  const place = JSON.stringify(new URL('./threadTime.mjs', import.meta.url).href)
  const code = `
    const { parentPort } = require('node:worker_threads')
    import(${place}).then(({ ownTimeFile, cpuTimeMs }) => {
      const file = ownTimeFile()
      parentPort.postMessage(file)
      parentPort.on('message', () => {
        while (cpuTimeMs(file) < 300) {}
        parentPort.postMessage('worked')
      })
    })`
  const worker = new Worker(code, { eval: true })
  try {
    const [file] = (await once(worker, 'message')) as [string]
    const before = cpuTimeMs(file)!
    const begun = performance.now()
    while (performance.now() - begun < 500) {
      // This thread computes, the other is idle, or completes its start.
    }
    expect(cpuTimeMs(file)! - before).toBeLessThan(250)
    worker.postMessage('work')
    await once(worker, 'message')
    expect(cpuTimeMs(file)).toBeGreaterThanOrEqual(300)
    expect(cpuTimeMs('/proc/none')).toBeUndefined()
  } finally {
    await worker.terminate()
  }
})

test.runIf(process.platform === 'linux')(
  'the clock of a thread stands still while it waits',
  async () => {
    const clock = createThreadClock()
    const [idleAt, idleFrom] = [performance.now(), clock()]
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(clock() - idleFrom).toBeLessThan((performance.now() - idleAt) / 2)
    const from = clock()
    while (clock() - from < 20) {
      // Ends only if computing advances the clock.
    }
  },
)
