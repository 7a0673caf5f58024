import { describe, expect, it } from 'vitest'
import { createSubscriptions } from './subscriptions.ts'

describe('subscriptions of a connection', () => {
  it('are limited by tasks in flight', () => {
    const subscriptions = createSubscriptions(2, 'a')
    const first = subscriptions.add(() => {})
    subscriptions.add(() => {})
    expect(subscriptions.isFull()).toBe(true)
    subscriptions.end(first)
    subscriptions.end(first)
    expect(subscriptions.isFull()).toBe(false)
    subscriptions.remove(first)
    expect(subscriptions.isFull()).toBe(false)
    subscriptions.add(() => {})
    expect(subscriptions.isFull()).toBe(true)
  })

  it('drop the oldest ones of ended tasks', () => {
    const stopped: number[] = []
    const subscriptions = createSubscriptions(2, 'a')
    for (let count = 0; count < 10; count++)
      subscriptions.end(subscriptions.add(() => void stopped.push(count)))
    expect(stopped).toEqual([0, 1, 2, 3, 4, 5])
    expect(subscriptions.size()).toBe(4)
  })

  it('recognize assigned ids, and no others', () => {
    const subscriptions = createSubscriptions(2, 'a')
    const id = subscriptions.add(() => {})
    subscriptions.remove(id)
    expect(subscriptions.wasGiven(id)).toBe(true)
    for (const other of ['', 'a', 'a-', 'a-0', 'a-2', 'a-01', 'a-1.0', 'b-1', 'a-1e0', 'a--1'])
      expect(subscriptions.wasGiven(other), other).toBe(false)
  })
})
