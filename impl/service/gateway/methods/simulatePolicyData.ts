import type { Handler } from './handler.ts'

/** Section 4.6: one oracle, with secrets from the request. */
export const simulatePolicyData: Handler<'simulatePolicyData'> = (params, { tasks, caller }) =>
  tasks.simulatePolicyData(params, caller)
