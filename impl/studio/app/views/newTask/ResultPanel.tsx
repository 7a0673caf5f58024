import type { DevAccount } from 'polgate-protocol/control/accounts.ts'
import { useState } from 'preact/hooks'
import { hashOf } from '../../data/useRoute.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { JsonView } from '../../ui/JsonView.tsx'
import { ErrorNotice } from '../../ui/Notice.tsx'
import { OutcomeBadge } from '../../ui/OutcomeBadge.tsx'
import { type Submitted, spendTask } from './submitTask.ts'

/** The decision, the way to the task's page, and the attestation, which its sender can spend. */
export function ResultPanel(props: {
  readonly submitted: Submitted
  readonly sender: DevAccount | undefined
}) {
  const { submitted, sender } = props
  const { taskId, allow, value, result } = submitted
  const [spent, setSpent] = useState<string>()
  const [error, setError] = useState<Error>()
  const spend = async () => {
    setError(undefined)
    try {
      setSpent(await spendTask(result!, sender!))
    } catch (reason) {
      setError(reason as Error)
    }
  }
  const why =
    sender?.privateKey === undefined ? 'the key of the sender is not known here' : undefined
  return (
    <section class="panel stack" aria-label="Result">
      <div class="row">
        <h2>Result</h2>
        <OutcomeBadge outcome={allow ? 'allow' : 'deny'} />
        {taskId === undefined ? (
          <span class="muted">simulated: there is no task</span>
        ) : (
          <Hex value={taskId} href={hashOf('tasks', [taskId])} />
        )}
      </div>
      {typeof value === 'boolean' ? null : <JsonView value={value} />}
      {result === undefined || !allow ? null : spent === undefined ? (
        <div class="row">
          <Button kind="primary" onPress={spend} disabled={why !== undefined} title={why}>
            Spend the attestation
          </Button>
          <span class="muted">valid until block {result.expiration}</span>
        </div>
      ) : (
        <div class="row">
          <Badge tone="good">spent</Badge> <Hex value={spent} />
        </div>
      )}
      <ErrorNotice error={error} />
    </section>
  )
}
