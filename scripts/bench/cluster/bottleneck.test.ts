import { expect, it } from 'vitest'
import { bottleneckOf } from './bottleneck.ts'
import { processTime, timesOf } from './processTimes.ts'
import { kinds } from './usage.ts'

const none = Object.fromEntries(kinds.map((kind) => [kind, 0.1])) as Parameters<
  typeof bottleneckOf
>[0]['total']

it('names the cores of a machine without idle ones', () => {
  const total = { ...none, operators: 9 }
  const found = bottleneckOf({ total, busiestThread: { gateways: 1 }, machine: 0.97, own: 0.9 })
  expect(found.name).toBe('cores')
  expect(found.why).toContain('operators')
})

it('names the kind with a saturated main thread', () => {
  const busiestThread = { gateways: 0.95, operators: 0.4 }
  expect(bottleneckOf({ total: none, busiestThread, machine: 0.5, own: 0.5 }).name).toBe('gateways')
})

it('names none otherwise', () => {
  const found = bottleneckOf({
    total: none,
    busiestThread: { gateways: 0.2 },
    machine: 0.3,
    own: 0.3,
  })
  expect(found.name).toBe('none')
})

it('reads the times of a process whose name has spaces and parentheses', () => {
  const stat = `1 (a (b) c) S ${Array.from({ length: 10 }, () => 0).join(' ')} 150 50 30 20 0`
  expect(timesOf(stat)).toEqual({ own: 2, ended: 0.5 })
})

it.runIf(process.platform === 'linux')('measures this process', () => {
  const { total, mainThread } = processTime(process.pid)
  expect(total).toBeGreaterThan(0)
  expect(mainThread).toBeLessThanOrEqual(total)
})
