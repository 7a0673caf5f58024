import type { RecordedUpdate, RecordedUpdates } from 'polgate-protocol/control/webhooks.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Badge, type Tone } from '../../ui/Badge.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { Empty, ErrorNotice } from '../../ui/Notice.tsx'
import { Time } from '../../ui/Time.tsx'
import { TaskWatch } from './TaskWatch.tsx'
import { useLog } from './useLog.ts'

const shown = 200

const tones: Readonly<Partial<Record<RecordedUpdate['event'], Tone>>> = {
  success: 'good',
  failure: 'bad',
  notification: 'warn',
}

const columns: readonly Column<RecordedUpdate>[] = [
  {
    title: 'Time',
    cell: ({ at }) => (
      <span class="webhook-nowrap">
        <Time at={at} />
      </span>
    ),
  },
  { title: 'Event', cell: ({ event }) => <Badge tone={tones[event] ?? 'neutral'}>{event}</Badge> },
  {
    title: 'Status',
    cell: ({ status }) => <span class="webhook-nowrap">{status ?? '–'}</span>,
  },
  { title: 'Progress', cell: ({ progress }) => (progress === null ? '–' : `${progress} %`) },
  {
    title: 'Responses',
    cell: ({ responses, failures }) =>
      failures === 0 ? responses : `${responses}, ${failures} failed`,
  },
  { title: 'Error', cell: ({ text }) => text ?? '–' },
  { title: 'Task', cell: ({ taskId }) => <Hex value={taskId} href={hashOf('tasks', [taskId])} /> },
  {
    title: 'Follow',
    cell: ({ taskId }) => (
      <a
        href={hashOf('webhooks', ['updates'], { task: taskId })}
        aria-label={`Follow task ${taskId}`}
      >
        follow
      </a>
    ),
  },
]

/** The messages about all tasks, newest first, and those of one task as a subscriber gets them. */
export function UpdatesPanel({ task }: { readonly task: string }) {
  const { value, error } = useLog<RecordedUpdates, RecordedUpdate>(
    '/updates',
    ({ updates }) => updates,
  )
  const all = value?.entries ?? []
  const rows = task === '' ? all : all.filter(({ taskId }) => taskId === task.toLowerCase())
  return (
    <>
      <TaskWatch key={task} taskId={task} />
      <ErrorNotice error={error} />
      {value === undefined ? null : rows.length === 0 ? (
        <Empty>There are no updates yet. They follow when a task is created.</Empty>
      ) : (
        <DataTable
          label="Updates"
          rows={rows.slice(-shown).reverse()}
          columns={columns}
          keyOf={({ seq }) => String(seq)}
        />
      )}
    </>
  )
}
