import type { TaskListRow } from 'polgate-protocol/control/taskList.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Address } from '../../names/Address.tsx'
import { Badge } from '../../ui/Badge.tsx'
import type { Column } from '../../ui/DataTable.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { OutcomeBadge, outcomeOfTask } from '../../ui/OutcomeBadge.tsx'
import { Time } from '../../ui/Time.tsx'

const longestReason = 120

export const taskColumns: readonly Column<TaskListRow>[] = [
  { title: 'Task', cell: ({ id }) => <Hex value={id} href={hashOf('tasks', [id])} /> },
  {
    title: 'Outcome',
    cell: ({ status, decision, error, reasons }) => (
      <>
        <OutcomeBadge
          outcome={outcomeOfTask(status, decision === null ? undefined : decision === 'allow')}
        />{' '}
        <span class="muted">{(error ?? reasons.join('; ')).slice(0, longestReason)}</span>
      </>
    ),
  },
  {
    title: 'Client',
    cell: ({ client }) => <Address value={client} href={hashOf('tasks', [], { client })} />,
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
