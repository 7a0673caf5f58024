// biome-ignore-all lint/performance/noBarrelFile: an entry of the package
import { expect } from 'vitest'
import { matchers, type StackMatchers } from './matchers.ts'

expect.extend(matchers)

declare module 'vitest' {
  interface Matchers<T> extends StackMatchers {}
}

export { matchers, type StackMatchers } from './matchers.ts'
export { type StackFixtures, test } from './test.ts'
export { workerStack } from './workerStack.ts'
