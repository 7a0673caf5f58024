import type { ExplorerStats } from '../generated/explorerTypes.ts'
import type { BaseExplorer } from './createBaseExplorer.ts'
import type { ExplorerCallOptions } from './createExplorerRequest.ts'

/** An instant: a Date, or ISO 8601. */
type Moment = Date | string

export type StatsWindows = {
  readonly taskWindowStart: Moment
  readonly taskWindowEnd?: Moment | undefined
  readonly policyWindowStart?: Moment | undefined
  readonly policyWindowEnd?: Moment | undefined
}

const textOf = (moment: Moment | undefined): string | undefined =>
  moment instanceof Date ? moment.toISOString() : moment

/** How many tasks and policies there are in windows of time, both ends included (section 4.12). */
export async function getStats(
  explorer: BaseExplorer,
  windows: StatsWindows,
  options?: ExplorerCallOptions,
): Promise<ExplorerStats> {
  const query = {
    task_window_start: textOf(windows.taskWindowStart),
    task_window_end: textOf(windows.taskWindowEnd),
    policy_window_start: textOf(windows.policyWindowStart),
    policy_window_end: textOf(windows.policyWindowEnd),
  }
  return (await explorer.request('getStats', { path: '/v1/stats', query }, options)).result
}
