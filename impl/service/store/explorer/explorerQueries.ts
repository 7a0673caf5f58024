import type {
  ExplorerPage,
  ExplorerPolicy,
  ExplorerStats,
  TaskDetail,
  TaskSummary,
} from 'polgate-protocol/explorer.ts'
import type { PageOptions } from './pages.ts'

/** Rows without the network's name: the index knows only chains. */
export type Unnamed<T> = Omit<T, 'network'>

/** The reads of the explorer API. Ids and addresses are hex of any case, of the right length. */
export type ExplorerQueries = {
  task(chainId: number, id: string): Promise<Unnamed<TaskDetail> | undefined>
  tasks(chainId: number, page: PageOptions): Promise<ExplorerPage<Unnamed<TaskSummary>>>
  tasksOfPolicyId(
    chainId: number,
    policyId: string,
    page: PageOptions,
  ): Promise<ExplorerPage<Unnamed<TaskSummary>>>
  tasksOfPolicyAddress(
    chainId: number,
    address: string,
    page: PageOptions,
  ): Promise<ExplorerPage<Unnamed<TaskSummary>>>
  policy(chainId: number, address: string): Promise<Unnamed<ExplorerPolicy> | undefined>
  policies(chainId: number, page: PageOptions): Promise<ExplorerPage<Unnamed<ExplorerPolicy>>>
  /** Windows include both ends; an absent end is open. */
  stats(chainId: number, windows: StatsWindows): Promise<ExplorerStats>
}

export type StatsWindows = {
  readonly tasks: { readonly start: Date; readonly end?: Date | undefined }
  readonly policies: { readonly start?: Date | undefined; readonly end?: Date | undefined }
}
