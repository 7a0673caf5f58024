import type { InboxDelivery, WebhookInboxState } from 'polgate-protocol/control/webhooks.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Badge } from '../../ui/Badge.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { Empty, ErrorNotice } from '../../ui/Notice.tsx'
import { Time } from '../../ui/Time.tsx'
import { DeliveryDetail } from './DeliveryDetail.tsx'
import { ReceiverForm } from './ReceiverForm.tsx'
import { ReplyForm } from './ReplyForm.tsx'
import { useLog } from './useLog.ts'

/** Rows of the list; older deliveries are in the retries of their notification. */
const shown = 200

const columns: readonly Column<InboxDelivery>[] = [
  {
    title: 'Arrived',
    cell: ({ seq, at }) => (
      <a href={hashOf('webhooks', ['inbox', String(seq)])}>
        <Time at={at} />
      </a>
    ),
  },
  { title: 'Failure', cell: ({ type }) => type ?? '–' },
  {
    title: 'Signature',
    cell: ({ verified }) => (
      <Badge tone={verified ? 'good' : 'bad'}>{verified ? 'verified' : 'not verified'}</Badge>
    ),
  },
  { title: 'Attempt', cell: ({ attempt }) => attempt },
  { title: 'Answered', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: 'Task',
    cell: ({ taskId }) =>
      taskId === null ? '–' : <Hex value={taskId} href={hashOf('tasks', [taskId])} />,
  },
  { title: 'Key', cell: ({ key }) => key },
]

const StatusBadge = ({ status }: { readonly status: number | null }) => (
  <Badge tone={status !== null && status < 300 ? 'good' : 'bad'}>{status ?? 'nothing'}</Badge>
)

/** The receiver in the stack: for whom it is registered, what it answers, and what arrived. */
export function InboxPanel({ selected }: { readonly selected: string | undefined }) {
  const { value, error, refresh } = useLog<WebhookInboxState, InboxDelivery>(
    '/webhooks/inbox',
    ({ deliveries }) => deliveries,
  )
  if (value === undefined)
    return error === undefined ? <p class="muted">Loading …</p> : <ErrorNotice error={error} />
  const { answer, entries } = value
  const delivery = entries.find(({ seq }) => String(seq) === selected)
  return (
    <>
      <ErrorNotice error={error} />
      <div class="columns">
        <ReceiverForm inbox={answer} onChanged={refresh} />
        <ReplyForm reply={answer.reply} onChanged={refresh} />
      </div>
      {delivery === undefined ? null : <DeliveryDetail key={delivery.seq} delivery={delivery} />}
      {entries.length === 0 ? (
        <Empty>
          Nothing has arrived. Register the receiver for a key, and trigger a failure of one of its
          tasks.
        </Empty>
      ) : (
        <>
          <DataTable
            label="Deliveries"
            rows={entries.slice(-shown).reverse()}
            {...{ columns, selected }}
            keyOf={({ seq }) => String(seq)}
          />
          {answer.latest > shown ? (
            <p class="muted">
              The latest {shown} of {answer.latest.toLocaleString()} deliveries.
            </p>
          ) : null}
        </>
      )}
    </>
  )
}
