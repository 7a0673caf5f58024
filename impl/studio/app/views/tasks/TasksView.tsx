import type { TaskSummary } from 'polgate-protocol/explorer.ts'
import { explorerClient } from '../../data/explorer.ts'
import { usePolled } from '../../data/usePolled.ts'
import { hashOf, navigate } from '../../data/useRoute.ts'
import { Badge } from '../../ui/Badge.tsx'
import { type Column, DataTable, Pages } from '../../ui/DataTable.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { Empty, ErrorNotice } from '../../ui/Notice.tsx'
import type { ViewProps } from '../../viewProps.ts'

const size = 50

const columns: readonly Column<TaskSummary>[] = [
  { title: 'Task', cell: ({ id }) => <Hex value={id} href={hashOf('tasks', [id])} /> },
  {
    title: 'Result',
    cell: ({ error }) => <Badge>{error === null ? 'evaluated' : 'failed'}</Badge>,
  },
]

/** The tasks, newest first, and one of them. */
export function TasksView({ route }: ViewProps) {
  const page = Math.max(1, Number(route.query.get('page') ?? 1) || 1)
  const { value, error } = usePolled(() => explorerClient().listTasks({ page, size }), 2_000, [
    page,
  ])
  return (
    <>
      <h1>Tasks</h1>
      <ErrorNotice error={error} />
      {value === undefined ? null : value.results.length === 0 ? (
        <Empty>There are no tasks yet.</Empty>
      ) : (
        <>
          <DataTable
            label="Tasks"
            rows={value.results as never}
            columns={columns}
            keyOf={({ id }) => id}
          />
          <Pages
            {...{ page, size, total: value.total }}
            onPage={(next) => navigate(hashOf('tasks', [], { page: String(next) }))}
          />
        </>
      )}
    </>
  )
}
