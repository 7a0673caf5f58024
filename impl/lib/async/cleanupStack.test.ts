import fc from 'fast-check'
import { expect, it } from 'vitest'
import { property } from '../testing/property.ts'
import { createCleanupStack, startWithCleanup } from './cleanupStack.ts'

/** One cleanup each; the true ones fail. */
const cleanups = fc.array(fc.boolean(), { maxLength: 8 })

function filled(failing: readonly boolean[], stack = createCleanupStack()) {
  const done: number[] = []
  for (const [at, fails] of failing.entries())
    stack.defer(async () => {
      done.push(at)
      if (fails) throw new Error(String(at))
    })
  return { stack, done }
}

const errorsOf = (error: unknown): string[] =>
  error instanceof AggregateError
    ? error.errors.map(({ message }: Error) => message)
    : error === undefined
      ? []
      : [(error as Error).message]

property([cleanups])('runs all, newest first, and reports every error', async (failing) => {
  const { stack, done } = filled(failing)
  const error = await stack.close().catch((cause: unknown) => cause)
  const order = [...failing.keys()].reverse()
  expect(done).toEqual(order)
  expect(errorsOf(error)).toEqual(order.filter((at) => failing[at]).map(String))
  await stack.close()
  expect(done).toEqual(order)
})

property([cleanups])('is closed when the start fails, whose error comes first', async (failing) => {
  let done: readonly number[] = []
  const starting = startWithCleanup(async (stack) => {
    ;({ done } = filled(failing, stack))
    throw new Error('start')
  })
  const error = await starting.catch((cause: unknown) => cause)
  const order = [...failing.keys()].reverse()
  expect(done).toEqual(order)
  expect(errorsOf(error)).toEqual(['start', ...order.filter((at) => failing[at]).map(String)])
})

it('runs what is added while it closes, and what is added later', async () => {
  const done: string[] = []
  const stack = createCleanupStack()
  stack.defer(() => {
    done.push('first')
    stack.defer(() => done.push('second'))
  })
  await stack.close()
  stack.defer(() => done.push('third'))
  await stack.close()
  expect(done).toEqual(['first', 'second', 'third'])
})

it('stays open when the start succeeds', async () => {
  let closed = false
  const close = await startWithCleanup(async (stack) => {
    stack.defer(() => {
      closed = true
    })
    return stack.close
  })
  expect(closed).toBe(false)
  await close()
  expect(closed).toBe(true)
})

property([fc.integer({ min: 2, max: 5 })])(
  'calls at the same time close once, in order',
  async (calls) => {
    let resolve = () => {}
    const promise = new Promise<void>((settle) => {
      resolve = settle
    })
    const done: string[] = []
    const stack = createCleanupStack()
    stack.defer(() => done.push('last'))
    stack.defer(async () => {
      await promise
      done.push('first')
    })
    const closes = Array.from({ length: calls }, () => stack.close())
    resolve()
    await Promise.all(closes)
    expect(done).toEqual(['first', 'last'])
  },
)
