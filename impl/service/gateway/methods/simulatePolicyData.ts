import type { Handler } from './handler.ts'

/** Section 4.6: one oracle, with the caller’s own secrets. */
export const simulatePolicyData: Handler<'simulatePolicyData'> = (params, { tasks, caller }) =>
  tasks.simulatePolicyData(params, caller)
