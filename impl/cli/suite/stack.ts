import type { LocalStack, LocalStackOptions } from 'polgate-local/localStack.ts'

/** The stack of `polgate start`, with the fault injection that the suite needs to certify it. */
export async function startStack(options: LocalStackOptions): Promise<LocalStack> {
  const { startChaosStack } = await import('polgate-self-test/local/localChaos.ts')
  return startChaosStack(options)
}
