import type { ExplorerTaskSummary } from 'polgate-client'
import type { TaskList, TaskListRow } from 'polgate-protocol/control/taskList.ts'
import { control } from '../../data/control.ts'
import { explorerClient } from '../../data/explorer.ts'
import { target } from '../../data/target.ts'

export type TaskFilters = {
  readonly status: string
  readonly method: string
  readonly client: string
  readonly decision: string
  readonly text: string
}

export const filterNames = ['status', 'method', 'client', 'decision', 'text'] as const

export const filtersOf = (query: URLSearchParams): TaskFilters =>
  Object.fromEntries(
    filterNames.map((name) => [name, (query.get(name) ?? '').trim().slice(0, 200)]),
  ) as TaskFilters

export const isFiltered = (filters: TaskFilters): boolean =>
  filterNames.some((name) => filters[name] !== '')

/** Rows per page. */
export const size = 50
/** How far an explorer, which has no filters, is searched at a time. */
const searchedPages = 10
const searchedSize = 100

/** A page of the tasks; from the explorer alone where there is no control API. */
export async function readTasks(
  filters: TaskFilters,
  page: number,
  signal: AbortSignal,
): Promise<TaskList & { readonly searched?: number }> {
  if (target().has.control) {
    const given = filterNames.filter((name) => filters[name] !== '')
    const query = new URLSearchParams([
      ...given.map((name) => [name, filters[name]] as [string, string]),
      ['page', String(page)],
      ['size', String(size)],
    ])
    return await control.get<TaskList>(`/tasks?${query}`, signal)
  }
  const explorer = explorerClient()
  if (!isFiltered(filters)) {
    const { results, total } = await explorer.listTasks({ page, size }, { signal })
    return { page, size, rows: results.map(rowOf), more: page * size < total, total }
  }
  // A page of a search is a stretch of the list, with what matches in it.
  const rows: TaskListRow[] = []
  for (let at = 0; at < searchedPages; at += 1) {
    const from = (page - 1) * searchedPages + at + 1
    const { results, total } = await explorer.listTasks(
      { page: from, size: searchedSize },
      { signal },
    )
    rows.push(...results.map(rowOf).filter((row) => matches(row, filters)))
    const searched = Math.min(total, from * searchedSize)
    if (searched >= total) return { page, size, rows, more: false, total: null, searched }
  }
  const searched = page * searchedPages * searchedSize
  return { page, size, rows, more: true, total: null, searched }
}

/** A row of the explorer, which has only tasks that have ended or are on chain. */
export const rowOf = (task: ExplorerTaskSummary): TaskListRow => ({
  id: task.id,
  status:
    task.error === null && task.evaluation_result === null
      ? 'processing'
      : task.error === null
        ? 'success'
        : 'failed',
  method: null,
  client: task.policy_client_address,
  decision:
    task.evaluation_result === null ? null : allows(task.evaluation_result) ? 'allow' : 'deny',
  error: task.error,
  reasons: [],
  createdAt: task.task_created_at ?? task.updated_at,
  finishedAt: task.task_responded_at,
  posting: task.task_responded_at === null ? null : 'posted',
  spentAt: task.attestation_spent_at,
  challenge: task.challenge_result,
})

const word = (value: string) => value.padStart(64, '0')
const allowing = [`0x${word('1')}`, `0x${word('20')}${word('4')}${'74727565'.padEnd(64, '0')}`]

/** Decision T11: the boolean true, and the string `true`. */
export const allows = (result: string): boolean => allowing.includes(result.toLowerCase())

export function matches(row: TaskListRow, filters: TaskFilters): boolean {
  const text = filters.text.toLowerCase()
  return (
    (filters.status === '' || row.status === filters.status) &&
    (filters.method === '' || row.method === filters.method) &&
    (filters.client === '' || row.client.toLowerCase() === filters.client.toLowerCase()) &&
    (filters.decision === '' || row.decision === filters.decision) &&
    (text === '' || `${row.id} ${row.error ?? ''} ${row.client}`.toLowerCase().includes(text))
  )
}
