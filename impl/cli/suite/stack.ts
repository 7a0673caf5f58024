import type { LocalStack, LocalStackOptions } from '../../local/localStack.ts'

/** The stack of `svc start`: with all that the suite needs to certify it. */
export const startStack = async (options: LocalStackOptions): Promise<LocalStack> => {
  const { startTroubledStack } = await import('../../../conformance/targets/localChaos.ts')
  return startTroubledStack(options)
}
