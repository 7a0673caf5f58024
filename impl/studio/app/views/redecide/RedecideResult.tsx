import type { Decision, RedecidedTask } from 'polgate-protocol/control/redecide.ts'
import { useState } from 'preact/hooks'
import { hashOf } from '../../data/useRoute.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { Empty, ErrorNotice, Notice } from '../../ui/Notice.tsx'
import { OutcomeBadge } from '../../ui/OutcomeBadge.tsx'
import { Time } from '../../ui/Time.tsx'
import { summaryText } from './summaryText.ts'
import type { Redecided } from './useRedecide.ts'

/** A decision with its reasons. */
export const DecisionCell = ({ decision }: { readonly decision: Decision | null }) =>
  decision === null ? (
    <span class="muted">none</span>
  ) : (
    <span>
      <OutcomeBadge outcome={decision.outcome === 'error' ? 'failed' : decision.outcome} />{' '}
      {decision.error ?? decision.reasons.join('; ')}
    </span>
  )

const filters = [
  { value: 'changed', text: 'Changed' },
  { value: 'unknown', text: 'Not decided again' },
  { value: 'all', text: 'All' },
]
const isShown: Readonly<Record<string, (task: RedecidedTask) => boolean>> = {
  changed: ({ changed }) => changed,
  unknown: ({ unknown }) => unknown !== null,
  all: () => true,
}

/** How past tasks would be decided: counts, and those that change. */
export function RedecideResult({ redecided }: { readonly redecided: Redecided }) {
  const { answer, error, running } = redecided
  const [filter, setFilter] = useState('changed')
  if (error !== undefined) return <ErrorNotice error={error} />
  if (answer === undefined)
    return <p class="muted">{running ? 'Deciding …' : 'Nothing decided yet.'}</p>
  const shown = answer.tasks.filter(isShown[filter]!)
  return (
    <div class="stack" aria-busy={running}>
      {answer.paramsProblem === null ? null : (
        <Notice tone="bad">
          {answer.paramsProblem}
          <div class="muted">With these parameters the service decides nothing.</div>
        </Notice>
      )}
      <p role="status">{summaryText(answer.counts)}</p>
      <div class="row">
        <SelectField label="Show" value={filter} options={filters} onChange={setFilter} />
      </div>
      {shown.length === 0 ? (
        <Empty>{filter === 'changed' ? 'No decision changes.' : 'No tasks.'}</Empty>
      ) : (
        <DataTable
          label="Tasks decided again"
          rows={shown}
          keyOf={({ taskId }) => taskId}
          columns={[
            {
              title: 'Task',
              cell: ({ taskId }) => <Hex value={taskId} href={hashOf('tasks', [taskId])} />,
            },
            { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
            { title: 'Before', cell: ({ before }) => <DecisionCell decision={before} /> },
            {
              title: 'Now',
              cell: ({ after, unknown }) =>
                unknown === null ? <DecisionCell decision={after} /> : <span>{unknown}</span>,
            },
          ]}
        />
      )}
    </div>
  )
}
