import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { linkedSignal } from './linkedSignal.ts'

it('aborts with its first parent, or by itself', () => {
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

it('leaves no listener on a long-lived parent', () => {
  const parent = new AbortController()
  const linked = linkedSignal(parent.signal)
  expect(getEventListeners(parent.signal, 'abort')).toHaveLength(1)
  linked.release()
  expect(getEventListeners(parent.signal, 'abort')).toHaveLength(0)
  parent.abort()
  expect(linked.signal.aborted).toBe(false)
})
