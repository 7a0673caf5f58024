import { connectStack } from './connectStack.ts'
import type { Stack } from './stack.ts'
import { startStackChild } from './stackChild.ts'
import { checkedOptions, type StackOptions } from './stackOptions.ts'

/**
 * Starts the whole service on free ports of this machine, in a process of its own that ends with
 * this one: chain, contracts, operators, gateway, explorer and sample policies. Takes about two
 * seconds, on the first start of a machine longer.
 *
 * ```ts
 * await using stack = await startStack({ brand: 'acme' })
 * ```
 *
 * @throws TestingError `option` for an unknown or invalid option, `start` if it cannot be started
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const child = await startStackChild(checkedOptions(options))
  return connectStack(child.connection, child)
}
