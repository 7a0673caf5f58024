import type { ExplorerQueries } from '../../store/explorer/explorerQueries.ts'
import type { PageOptions } from '../../store/explorer/pages.ts'

const emptyPage = async (_: number, { page, size }: PageOptions) => ({
  total: 0,
  page,
  size,
  results: [],
})
const emptyPageOf = (_: number, __: string, options: PageOptions) => emptyPage(0, options)
const none = async () => undefined

/** A network without rows, for a name without a chain (decision X7). */
export const emptyNetwork: ExplorerQueries = {
  task: none,
  tasks: emptyPage,
  tasksOfPolicyId: emptyPageOf,
  tasksOfPolicyAddress: emptyPageOf,
  policy: none,
  policies: emptyPage,
  stats: async () => ({ total_tasks: 0, total_policies: 0 }),
}
