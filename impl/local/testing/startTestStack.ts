import { openTestStore } from 'polgate-service/store/testing/openTestStore.ts'
import { type LocalStack, startLocalStack } from '../localStack.ts'
import type { LocalStackOptions } from '../localStackOptions.ts'

/**
 * A stack that shares its database with the other tests of this process, one after another, unless
 * it has a data directory: starting one takes half of the CPU time of a stack.
 */
export const startTestStack = (
  options: Omit<LocalStackOptions, 'openStore' | 'storeThread'> = {},
): Promise<LocalStack> =>
  startLocalStack({
    ...options,
    ...(options.dataDir === undefined && { openStore: () => openTestStore() }),
  })
