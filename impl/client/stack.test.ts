import type { LocalStack } from 'polgate-local/localStack.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import { wireBrand } from 'polgate-protocol/brand.ts'
import { afterAll, beforeAll, describe } from 'vitest'
import { actionsSuite } from './testing/actions.suite.ts'
import { chainSuite } from './testing/chain.suite.ts'
import { explorerSuite } from './testing/explorer.suite.ts'
import { privateDataSuite } from './testing/privateData.suite.ts'
import { secretsSuite } from './testing/secrets.suite.ts'
import { watchSuite } from './testing/watch.suite.ts'

// One stack, of another brand, for everything that needs a gateway.
let stack: LocalStack
beforeAll(async () => {
  stack = await startTestStack({
    brand: wireBrand('acme'),
    config: (config) => ({
      ...config,
      // Each operator computes for as long for a looping oracle: a connection is cut four times meanwhile.
      oracles: { ...config.oracles, limits: { wallClockMs: 3_000 } },
    }),
  })
})
afterAll(() => stack.close())

describe('a client of a gateway', () => {
  const current = () => stack
  actionsSuite(current)
  watchSuite(current)
  secretsSuite(current)
  privateDataSuite(current)
  chainSuite(current)
  explorerSuite(current)
})
