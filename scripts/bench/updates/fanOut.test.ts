import type { LocalStack } from 'polgate-local/localStack.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fanOut } from './fanOut.ts'
import { openSubscriber } from './subscriber.ts'

let stack: LocalStack
beforeAll(async () => {
  stack = await startTestStack()
})
afterAll(() => stack.close())

describe('200 subscribers and 50 tasks in flight', () => {
  it('deliver the final event to every subscriber', { timeout: 120_000 }, async () => {
    const subscribers = await Promise.all(
      Array.from({ length: 200 }, () => openSubscriber(stack.description)),
    )
    const { finals, successes } = await fanOut(stack.description, subscribers, {
      tasks: 50,
      all: false,
    })
    expect([finals, successes]).toEqual([200, 200])
    await Promise.all(subscribers.map((subscriber) => subscriber.close()))
  })
})
