import { invalidFormat } from 'polgate-protocol/serviceError.ts'
import type { Handler } from './handler.ts'

/** Decisions, section 9. In bytes, whereas the schema counts characters. */
const maxPolicyBytes = 512 * 1024

/** Section 4.8: the whole evaluation, with a policy that is not deployed. */
export const simulatePolicy: Handler<'simulatePolicy'> = async (params, { tasks, caller }) => {
  if (Buffer.byteLength(params.policy) > maxPolicyBytes)
    throw invalidFormat(`policy must not be larger than ${maxPolicyBytes} bytes`)
  return tasks.simulatePolicy(params, caller)
}
