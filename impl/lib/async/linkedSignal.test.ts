import { getEventListeners, getMaxListeners } from 'node:events'
import { expect, it, vi } from 'vitest'
import { linkedSignal } from './linkedSignal.ts'

it('aborts with its first parent, or of itself', () => {
  const [one, other] = [new AbortController(), new AbortController()]
  const linked = linkedSignal(one.signal, other.signal)
  other.abort('other')
  one.abort('one')
  expect(linked.signal.reason).toBe('other')
  expect(linkedSignal(one.signal).signal.reason).toBe('one')
  const own = linkedSignal()
  own.abort('own')
  expect(own.signal.reason).toBe('own')
})

it('is a signal that fetch takes', async () => {
  const linked = linkedSignal(new AbortController().signal)
  const response = await fetch('data:,here', { signal: linked.signal })
  expect(await response.text()).toBe('here')
  expect(getMaxListeners(linked.signal)).toBe(Number.POSITIVE_INFINITY)
})

it('leaves nothing with a parent that lives on', () => {
  const parent = new AbortController()
  const linked = linkedSignal(parent.signal)
  expect(getEventListeners(parent.signal, 'abort')).toHaveLength(1)
  linked.release()
  expect(getEventListeners(parent.signal, 'abort')).toHaveLength(0)
  parent.abort()
  expect(linked.signal.aborted).toBe(false)
})

it('aborts after its time, unless it was released before', () => {
  vi.useFakeTimers()
  const [late, released] = [linkedSignal(), linkedSignal()]
  late.abortAfter(1_000, () => 'late')
  released.abortAfter(1_000)
  vi.advanceTimersByTime(999)
  expect(late.signal.aborted).toBe(false)
  released.release()
  vi.advanceTimersByTime(1)
  expect(late.signal.reason).toBe('late')
  expect(released.signal.aborted).toBe(false)
  vi.useRealTimers()
})
