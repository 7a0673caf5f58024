import type { TaskListRow } from 'polgate-protocol/control/taskList.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Badge } from '../../ui/Badge.tsx'
import type { Column } from '../../ui/DataTable.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { Time } from '../../ui/Time.tsx'
import { DecisionBadge, StatusBadge } from './TaskBadges.tsx'

const longestError = 120

export const taskColumns: readonly Column<TaskListRow>[] = [
  { title: 'Task', cell: ({ id }) => <Hex value={id} href={hashOf('tasks', [id])} /> },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: 'Decision',
    cell: ({ decision, error }) =>
      decision === null ? (
        <span class="muted">{error?.slice(0, longestError) ?? '–'}</span>
      ) : (
        <DecisionBadge allow={decision === 'allow'} />
      ),
  },
  {
    title: 'Client',
    cell: ({ client }) => <Hex value={client} href={hashOf('tasks', [], { client })} />,
  },
  { title: 'Method', cell: ({ method }) => method ?? '–' },
  { title: 'Chain', cell: (row) => <ChainState row={row} /> },
  {
    title: 'Created',
    cell: ({ createdAt }) => (createdAt === null ? '–' : <Time at={createdAt} />),
  },
]

function ChainState({ row }: { readonly row: TaskListRow }) {
  const { posting, spentAt, challenge } = row
  if (challenge === 'success') return <Badge tone="bad">challenged</Badge>
  if (spentAt !== null) return <Badge tone="good">spent</Badge>
  if (posting === null) return <span class="muted">–</span>
  return <Badge tone={posting === 'failed' ? 'bad' : 'neutral'}>{posting}</Badge>
}
