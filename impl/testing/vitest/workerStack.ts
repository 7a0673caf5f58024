import { expect, inject } from 'vitest'
import { connectStack } from '../stack/connectStack.ts'
import type { Stack } from '../stack/stack.ts'
import { startStack } from '../stack/startStack.ts'
import { TestingError } from '../stack/testingError.ts'
import type { PoolAnswer, StackPoolAddress } from './stackPool.ts'

type Held = { file?: string | undefined; stack?: Promise<Stack> }

/** Shared by all copies of this module in a worker: without isolation it runs several test files. */
const holder = globalThis as { [key: symbol]: Held | undefined }
const key = Symbol.for('polgate-testing.worker-stack')

/**
 * The stack of this worker of vitest, in the state in which it started for every test file. For
 * `beforeAll`, whose changes all tests of the file see; tests get it as the fixture `stack`.
 *
 * With the global setup each worker has one stack for the whole run; without, one for each test file
 * or worker, which ends with it.
 *
 * @throws TestingError `start`
 */
export function workerStack(): Promise<Stack> {
  holder[key] ??= {}
  const held = holder[key]
  const file = expect.getState().testPath
  if (held.stack === undefined || held.file !== file) {
    held.file = file
    held.stack = held.stack === undefined ? acquire() : held.stack.then(wasReset)
    // A failed start is not that of the next file, too.
    held.stack.catch(() => delete holder[key])
  }
  return held.stack
}

async function wasReset(stack: Stack): Promise<Stack> {
  await stack.reset()
  return stack
}

async function acquire(): Promise<Stack> {
  const address = inject('polgateStacks') as StackPoolAddress | undefined
  if (address === undefined) return await startStack()
  const worker = process.env.VITEST_POOL_ID ?? '1'
  const response = await fetch(`${address.url}/worker/${worker}`, {
    headers: { authorization: `Bearer ${address.token}` },
  })
  const answer = (await response.json()) as PoolAnswer
  if ('error' in answer)
    throw new TestingError(`There is no stack for worker ${worker}: ${answer.error}`, {
      code: 'start',
      hint: 'See the log of the global setup.',
    })
  const stack = connectStack(answer.connection)
  return answer.used ? await wasReset(stack) : stack
}
