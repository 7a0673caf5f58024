import type { LocalStack } from 'polgate-local/localStack.ts'
import { type Load, load } from './load.ts'
import { createTaskBodies } from './requests.ts'
import type { createStageClock, StageShare } from './stageClock.ts'

export type TaskTimes = {
  readonly one: Load
  readonly many: Load
  readonly stages: readonly StageShare[]
}

/** Sequential tasks with the time of each stage, and eight concurrent ones. */
export async function timeTasks(
  stack: LocalStack,
  clock: ReturnType<typeof createStageClock>,
  fixture: string,
  tasks: number,
): Promise<TaskTimes> {
  const { gatewayUrl, apiKeys } = stack.description
  const target = { url: gatewayUrl, path: '/rpc', key: apiKeys.rpc }
  const bodies = (count: number) => createTaskBodies(stack.description, fixture, count)
  await load(target, bodies(Math.min(20, tasks)), 4)
  clock.reset()
  const one = await load(target, bodies(tasks), 1)
  const stages = clock.shares(one.totalMs / tasks, tasks)
  const many = await load(target, bodies(tasks), 8)
  if (one.failures + many.failures > 0)
    throw new Error(`tasks failed: ${one.firstFailure ?? many.firstFailure}`)
  return { one, many, stages }
}
