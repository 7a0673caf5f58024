import { describe, expect, it } from 'vitest'
import { createTraces } from './traces.ts'

const limits = { tasks: 3, size: 100, sizeOfOne: 60, spans: 2 }
const task = (id: string) => ({ id, method: 'createTask', request: {}, referenceBlock: 1 })
const span = { kind: 'stage', name: 'settle data', parent: null } as const

describe('the kept traces', () => {
  it('are those of the latest tasks, found by id in any case', () => {
    const traces = createTraces(limits)
    for (const id of ['0xA1', '0xa2', '0xa3', '0xa4']) traces.admitted(traces.open(0), task(id))
    expect(['0xa1', '0xA2', '0xa3', '0xA4'].map((id) => traces.of(id)?.task?.id)).toEqual([
      undefined,
      ...['0xa2', '0xa3', '0xa4'],
    ])
  })

  it('are limited together in size: the oldest go first, what one keeps beyond its share is refused', () => {
    const traces = createTraces(limits)
    const [first, second] = [traces.open(0), traces.open(0)]
    traces.admitted(first, task('0x1'))
    expect(traces.keep(first, 60)).toBe(true)
    expect(traces.keep(first, 1)).toBe(false)
    // Kept before its task is known, as admission is.
    expect(traces.keep(second, 50)).toBe(true)
    expect(traces.of('0x1')).toBe(first)
    traces.admitted(second, task('0x2'))
    expect(traces.of('0x1')).toBeUndefined()
    expect(first.dropped).toBe(1)
    expect(traces.of('0x2')).toBe(second)
  })

  it('have a limited number of spans, each with its time and its error', () => {
    const traces = createTraces(limits)
    const trace = traces.open(0)
    const added = traces.begin(trace, span)
    expect(added).toMatchObject({ id: 1, duration: null })
    traces.end(trace, added, new Error('x'.repeat(5_000)))
    expect(added!.duration).toBeGreaterThanOrEqual(0)
    expect(added!.error).toHaveLength(2_000)
    expect(traces.begin(trace, span)).toMatchObject({ id: 2 })
    expect(traces.begin(trace, span)).toBeUndefined()
    expect(trace.dropped).toBe(1)
  })
})
