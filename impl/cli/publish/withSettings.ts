import type { PolicySettings } from 'polgate-client/index.ts'
import { type AbiParameter, stringToHex } from 'viem'

/**
 * An argument of a constructor with what publishing knows: `$policy`, `$params`, `$expireAfter`, `$owner`,
 * `$taskManager`. Other texts stay.
 */
export function withSettings(
  { type }: AbiParameter,
  value: unknown,
  settings: Required<PolicySettings>,
): unknown {
  const { policyParams = '{}', expireAfter = 300, policy, owner, taskManager } = settings
  const known: Readonly<Record<string, unknown>> = {
    $policy: policy,
    // Inside of a tuple, parameters are bytes.
    $params: type === 'string' ? policyParams : stringToHex(policyParams),
    $expireAfter: expireAfter,
    $owner: owner,
    $taskManager: taskManager,
  }
  const replaced = (each: unknown): unknown => {
    if (typeof each === 'string') return Object.hasOwn(known, each) ? known[each] : each
    if (Array.isArray(each)) return each.map(replaced)
    if (typeof each !== 'object' || each === null) return each
    return Object.fromEntries(Object.entries(each).map(([name, inner]) => [name, replaced(inner)]))
  }
  return replaced(value)
}
