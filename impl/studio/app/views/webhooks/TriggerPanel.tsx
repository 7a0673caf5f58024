import type { TriggerList, TriggerRun } from 'polgate-protocol/control/webhooks.ts'
import { FailureType } from 'polgate-protocol/notification.ts'
import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { usePolled } from '../../data/usePolled.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { Empty, ErrorNotice, Notice } from '../../ui/Notice.tsx'
import { Time } from '../../ui/Time.tsx'

const types = FailureType.anyOf.map((each) => each.const)

const stages: Readonly<Record<TriggerRun['stage'], string>> = {
  preparing: 'preparing the stack',
  sending: 'sending the task',
  notifying: 'waiting for the failure',
  delivering: 'waiting for the delivery',
  ended: 'ended',
}

const columns: readonly Column<TriggerRun>[] = [
  { title: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> },
  { title: 'Failure', cell: ({ type }) => type },
  { title: 'What is done', cell: ({ shown }) => shown },
  { title: 'Outcome', cell: (run) => <Outcome run={run} /> },
  {
    title: 'Task',
    cell: ({ taskId }) =>
      taskId === null ? '–' : <Hex value={taskId} href={hashOf('tasks', [taskId])} />,
  },
]

function Outcome({ run }: { readonly run: TriggerRun }) {
  const { stage, happened, notification, error } = run
  if (stage !== 'ended') return <Badge tone="warn">{stages[stage]}</Badge>
  return (
    <div class="row">
      <Badge tone={happened === true ? 'good' : 'bad'}>
        {happened === true ? 'happened' : 'did not happen'}
      </Badge>
      {error}
      {notification === null ? null : (
        <a href={hashOf('webhooks', ['notifications', notification.id])}>
          delivery: {notification.outcome}, {notification.attempts}{' '}
          {notification.attempts === 1 ? 'attempt' : 'attempts'}
        </a>
      )}
    </div>
  )
}

/** Makes tasks fail in each of the ways of section 6.3. */
export function TriggerPanel() {
  const [error, setError] = useState<Error>()
  const {
    value,
    error: unread,
    refresh,
  } = usePolled((signal) => control.get<TriggerList>('/webhooks/triggers', signal), 500)
  const { runs = [], obstacles = {} } = value ?? {}
  const busy = runs.some(({ stage }) => stage !== 'ended')
  const trigger = async (type: FailureType) => {
    setError(undefined)
    await control.post(`/webhooks/trigger/${type}`).catch((reason: Error) => setError(reason))
    refresh()
  }
  return (
    <>
      <Notice>
        A task of the key rpc fails. What has to fail for it, such as operators, fails for other
        tasks meanwhile, and is restored.
      </Notice>
      <div class="row" role="group" aria-label="Failures">
        {types.map((type) => (
          <Button
            key={type}
            disabled={busy || obstacles[type] !== undefined}
            title={obstacles[type]}
            onPress={() => trigger(type)}
          >
            {type}
          </Button>
        ))}
      </div>
      <ErrorNotice error={error ?? unread} />
      {value === undefined ? null : runs.length === 0 ? (
        <Empty>No failure has been triggered yet.</Empty>
      ) : (
        <DataTable
          label="Triggered failures"
          {...{ rows: runs, columns }}
          keyOf={({ id }) => String(id)}
        />
      )}
    </>
  )
}
