import type { Handler } from './handler.ts'

/** Section 4.7: one oracle, with the stored secrets of a client that the caller owns. */
export const simulatePolicyDataWithClient: Handler<'simulatePolicyDataWithClient'> = (
  params,
  { tasks, caller },
) => tasks.simulatePolicyDataWithClient(params, caller)
