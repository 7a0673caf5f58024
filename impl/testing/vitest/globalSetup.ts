import type { TestProject } from 'vitest/node'
import type { StackOptions } from '../stack/stackOptions.ts'
import { checkedOptions } from '../stack/stackOptions.ts'
import { type StackPoolAddress, startStackPool } from './stackPool.ts'

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface is merged with vitest's
  interface ProvidedContext {
    /** Options of the stacks, set as `provide` in the configuration of vitest. */
    polgateStackOptions?: Omit<StackOptions, 'log'>
    /** Set by the global setup of polgate-testing. */
    polgateStacks: StackPoolAddress
  }
}

/**
 * A global setup with options, for a file of yours: `export const setup = stackSetup({ brand: 'acme' })`.
 * The first stack is ready before the tests start; every further worker of vitest gets one of its own.
 */
export const stackSetup =
  (options: StackOptions = {}) =>
  async (project: TestProject): Promise<() => Promise<void>> => {
    const configured = project.config.provide as { polgateStackOptions?: StackOptions } | undefined
    const pool = await startStackPool(
      checkedOptions({ ...configured?.polgateStackOptions, ...options }),
    )
    try {
      await pool.stackOf('1')
    } catch (error) {
      await pool.close()
      throw error
    }
    project.provide('polgateStacks', pool.address)
    return pool.close
  }

/** `globalSetup: ['polgate-testing/vitest/global-setup']` */
export const setup = stackSetup()
