import type { NotificationList, NotificationSummary } from 'polgate-protocol/control/webhooks.ts'
import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { usePolled } from '../../data/usePolled.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Badge } from '../../ui/Badge.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { Empty, ErrorNotice } from '../../ui/Notice.tsx'
import { durationText, Time } from '../../ui/Time.tsx'
import { Waterfall } from '../../ui/Waterfall.tsx'
import { RedeliverButton } from './RedeliverButton.tsx'
import { attemptText, outcomeOf, timeline } from './timeline.ts'

const columns: readonly Column<NotificationSummary>[] = [
  {
    title: 'Failed',
    cell: ({ id, createdAt }) => (
      <a href={hashOf('webhooks', ['notifications', id])}>
        <Time at={createdAt} />
      </a>
    ),
  },
  { title: 'Failure', cell: ({ type }) => type },
  { title: 'Delivery', cell: (row) => <OutcomeBadge row={row} /> },
  { title: 'Attempts', cell: ({ attempts }) => attempts },
  { title: 'Last error', cell: ({ lastError }) => lastError ?? '–' },
  { title: 'Task', cell: ({ taskId }) => <Hex value={taskId} href={hashOf('tasks', [taskId])} /> },
]

function OutcomeBadge({ row }: { readonly row: NotificationSummary }) {
  const { text, tone } = outcomeOf(row)
  return <Badge tone={tone}>{text}</Badge>
}

/** The failure notifications of the stack; of one, its attempts on a time axis. */
export function NotificationsPanel({ selected }: { readonly selected: string | undefined }) {
  const { value, error, refresh } = usePolled(
    (signal) => control.get<NotificationList>('/webhooks/notifications', signal),
    1_000,
  )
  if (value === undefined)
    return error === undefined ? <p class="muted">Loading …</p> : <ErrorNotice error={error} />
  const { notifications, now } = value
  const one = notifications.find(({ id }) => id === selected)
  return (
    <>
      <ErrorNotice error={error} />
      {one === undefined ? null : (
        <Retries key={one.id} notification={one} now={Date.parse(now)} onRedelivered={refresh} />
      )}
      {notifications.length === 0 ? (
        <Empty>No task has failed yet.</Empty>
      ) : (
        <DataTable
          label="Notifications"
          rows={notifications}
          {...{ columns, selected }}
          keyOf={({ id }) => id}
        />
      )}
    </>
  )
}

function Retries(props: {
  readonly notification: NotificationSummary
  readonly now: number
  readonly onRedelivered: () => void
}) {
  const { notification, now, onRedelivered } = props
  const [chosen, setChosen] = useState<string>()
  const parts = timeline(notification)
  const attempt = chosen === undefined ? undefined : notification.made[Number(chosen)]
  const { nextAttemptAt, type, message } = notification
  const wait = nextAttemptAt === null ? 0 : Date.parse(nextAttemptAt) - now
  return (
    <section class="panel stack" aria-label="Retries">
      <div class="row">
        <h2>{type}</h2>
        <OutcomeBadge row={notification} />
        {nextAttemptAt === null ? null : (
          <span class="muted">
            {wait > 0 ? `next attempt in ${durationText(wait)}` : 'an attempt is due'}
          </span>
        )}
        <a href={hashOf('webhooks', ['notifications'])}>Close</a>
      </div>
      <p>{message}</p>
      {parts.length === 0 ? (
        <p class="muted">No attempt is known of this process of the stack.</p>
      ) : (
        <Waterfall label="Attempts" parts={parts} selected={chosen} onSelect={setChosen} />
      )}
      {attempt === undefined ? null : (
        <p role="status">
          <Time at={attempt.at} />: {attemptText(attempt)} after{' '}
          {durationText(attempt.milliseconds)}
        </p>
      )}
      <RedeliverButton id={notification.id} onDone={onRedelivered} />
    </section>
  )
}
