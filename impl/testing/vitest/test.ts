import type { ExplorerClient, ServiceClient } from 'polgate-client'
import { test as base } from 'vitest'
import type { Stack, StackAccounts } from '../stack/stack.ts'
import type { StackAccount } from '../stack/stackAccount.ts'
import type { StackClock } from '../stack/stackClock.ts'
import { TestingError } from '../stack/testingError.ts'
import { startWebhookInbox, type WebhookInbox } from '../webhooks/webhookInbox.ts'
import { workerStack } from './workerStack.ts'

/** Fixtures of `test`. */
export type StackFixtures = {
  /** The stack of this worker, in the same state for every test. */
  readonly stack: Stack
  /** The client SDK with the key `rpc` of the stack. */
  readonly client: ServiceClient
  readonly explorer: ExplorerClient
  /** Funded accounts: those of the stack, and new ones that no other test has. */
  readonly accounts: StackAccounts & {
    /** A new account with ether, by default 100. */
    readonly create: (options?: { readonly balance?: bigint }) => Promise<StackAccount>
  }
  readonly clock: StackClock
  /** Receives webhooks and verifies their signatures; empty for every test. */
  readonly webhookInbox: WebhookInbox
}

/**
 * `test` of vitest with a running stack. A test sees what `beforeAll` and `beforeEach` changed, and
 * nothing of other tests: afterwards chain, tasks, keys, secrets, webhooks and explorer are set back, the clock
 * runs at real time, all operators run, and mocks are removed. It takes about 0.4 s for a test that
 * uses one of the fixtures, and nothing for others.
 */
export const test = base.extend<StackFixtures>({
  stack: async ({ task }, use) => {
    if (task.concurrent)
      throw new TestingError(`The test ${JSON.stringify(task.name)} is concurrent`, {
        code: 'option',
        hint: 'Its stack would be set back under other tests: remove concurrent, or start a stack of its own with startStack(). Test files run in parallel, each worker with its own stack.',
      })
    const stack = await workerStack()
    const before = await stack.snapshot()
    try {
      await use(stack)
    } finally {
      await before.restoreAndDrop()
    }
  },
  client: async ({ stack }, use) => {
    await use(stack.client)
  },
  explorer: async ({ stack }, use) => {
    await use(stack.explorer)
  },
  accounts: async ({ stack }, use) => {
    await use({ ...stack.accounts, create: stack.createAccount })
  },
  clock: async ({ stack }, use) => {
    await use(stack.clock)
  },
  webhookInbox: async ({ stack }, use) => {
    const inbox = await startWebhookInbox({ brand: stack.brand })
    try {
      await use(inbox)
    } finally {
      await inbox.close()
    }
  },
})
