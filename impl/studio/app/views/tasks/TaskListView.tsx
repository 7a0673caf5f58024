import { usePolled } from '../../data/usePolled.ts'
import { hashOf, navigate } from '../../data/useRoute.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Empty, ErrorNotice } from '../../ui/Notice.tsx'
import type { ViewProps } from '../../viewProps.ts'
import { OutcomesChart } from './OutcomesChart.tsx'
import { TaskFiltersForm } from './TaskFiltersForm.tsx'
import { TaskListPages } from './TaskListPages.tsx'
import { taskColumns } from './taskColumns.tsx'
import { filtersOf, isFiltered, readTasks, type TaskFilters } from './taskList.ts'

/** The tasks, newest first: those in progress as well, where the target has a control API. */
export function TaskListView({ route }: ViewProps) {
  const page = Math.max(1, Math.trunc(Number(route.query.get('page') ?? 1)) || 1)
  const filters = filtersOf(route.query)
  const show = (next: TaskFilters, at = 1) =>
    navigate(hashOf('tasks', [], { ...next, ...(at === 1 ? {} : { page: String(at) }) }))
  // Only the top of the whole list grows, and searching costs more.
  const isLive = page === 1 && !isFiltered(filters)
  const { value, error } = usePolled(
    (signal) => readTasks(filters, page, signal),
    isLive ? 2_000 : 6_000,
    [page, JSON.stringify(filters)],
  )
  return (
    <>
      <div class="row">
        <h1 class="grow">Tasks</h1>
        <a href={hashOf('newTask')}>New task</a>
      </div>
      <TaskFiltersForm filters={filters} onChange={show} />
      {isLive ? <OutcomesChart /> : null}
      <ErrorNotice error={error} />
      {value === undefined ? (
        error === undefined ? (
          <p class="muted">Loading …</p>
        ) : null
      ) : (
        <>
          {value.rows.length === 0 ? (
            <Empty>
              {isFiltered(filters) ? 'No task matches these filters.' : 'There are no tasks yet.'}
            </Empty>
          ) : (
            <DataTable
              label="Tasks"
              rows={value.rows}
              columns={taskColumns}
              keyOf={({ id }) => id}
            />
          )}
          <TaskListPages list={value} onPage={(next) => show(filters, next)} />
        </>
      )}
    </>
  )
}
