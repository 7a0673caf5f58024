import { target } from '../../data/target.ts'
import { usePolled } from '../../data/usePolled.ts'
import { hashOf } from '../../data/useRoute.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { Empty, ErrorNotice, Notice } from '../../ui/Notice.tsx'
import { medianOf, type TaskGas } from './gasSteps.ts'
import { readGas, searched } from './reads.ts'

type Row = Omit<TaskGas, 'taskId' | 'postedWith'> & {
  readonly taskId?: string
  readonly postedWith?: number
}

const gas = (value: number | undefined) => (value === undefined ? '–' : value.toLocaleString())

const columns: readonly Column<Row>[] = [
  {
    title: 'Task',
    cell: ({ taskId }) =>
      taskId === undefined ? (
        <strong>median</strong>
      ) : (
        <Hex value={taskId} href={hashOf('tasks', [taskId])} />
      ),
  },
  { title: 'Create', cell: ({ create }) => gas(create) },
  { title: 'Respond', cell: ({ respond }) => gas(respond) },
  { title: 'Shared', cell: ({ shared }) => gas(shared) },
  { title: 'Spend', cell: ({ spend }) => gas(spend) },
  { title: 'Total', cell: ({ total }) => gas(total) },
  { title: 'Posted with', cell: ({ postedWith }) => (postedWith === undefined ? '' : postedWith) },
]

/** Gas of the latest tasks by step. */
export function GasTab() {
  const { value, error } = usePolled(readGas, 4_000)
  if (target().contracts.TaskManager === undefined)
    return <Empty>The target names no task manager.</Empty>
  return (
    <>
      <p class="muted">
        Tasks of the latest {searched.toLocaleString()} blocks. Shared is a task’s part of what the
        transaction took that posted it: calldata, and the calls of others that failed.
      </p>
      {target().readOnly ? (
        <Notice>
          Steps of one transaction cannot be told apart here: Studio traces only on a local stack.
        </Notice>
      ) : null}
      <ErrorNotice error={error} />
      {value === undefined ? null : value.length === 0 ? (
        <Empty>No task has been posted yet.</Empty>
      ) : (
        <DataTable
          label="Gas"
          rows={[...value, medians(value)]}
          columns={columns}
          keyOf={({ taskId }) => taskId ?? 'median'}
        />
      )}
    </>
  )
}

function medians(rows: readonly TaskGas[]): Row {
  const of = (step: 'create' | 'respond' | 'shared' | 'spend') => {
    const median = medianOf(rows.map((row) => row[step]))
    return median === undefined ? {} : { [step]: median }
  }
  return {
    ...{ ...of('create'), ...of('respond'), ...of('shared'), ...of('spend') },
    total: medianOf(rows.map(({ total }) => total)) ?? 0,
  }
}
