import {
  maxDelayMs,
  type OperatorReport,
  type QuorumReport,
} from 'polgate-protocol/control/operators.ts'
import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { ErrorNotice, Notice } from '../../ui/Notice.tsx'
import { type Action, actionTitles, breaksQuorum, standingAfter } from './effect.ts'
import { numberProblem } from './numberProblem.ts'
import { QuorumStanding } from './QuorumStanding.tsx'

/** What an action on an operator does to the quorum, before it is done. */
export function ActionDialog(props: {
  readonly operator: OperatorReport
  readonly action: Action
  readonly quorum: QuorumReport
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const { operator, action, quorum, onDone, onClose } = props
  const [delayMs, setDelayMs] = useState('2000')
  const [error, setError] = useState<Error>()
  const delayProblem = action === 'delay' ? numberProblem(delayMs, 1, maxDelayMs) : undefined
  const breaks = breaksQuorum(quorum, operator, action)
  const title = `${actionTitles[action]} operator ${operator.index}`
  const act = async () => {
    try {
      await send(operator.index, action, Number(delayMs))
      onDone()
      onClose()
    } catch (reason) {
      setError(reason as Error)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <QuorumStanding title="Now" quorum={quorum} standing={quorum.now} />
      <QuorumStanding
        title="After"
        quorum={quorum}
        standing={standingAfter(quorum, operator, action)}
      />
      {breaks ? (
        <Notice tone="warn">This breaks the quorum: tasks fail until it is undone.</Notice>
      ) : null}
      {action === 'delay' ? (
        <TextField
          label="Delay in milliseconds"
          type="number"
          value={delayMs}
          error={delayProblem}
          onChange={setDelayMs}
        />
      ) : null}
      <ErrorNotice error={error} />
      <div class="row">
        <Button
          kind={breaks ? 'danger' : 'primary'}
          disabled={delayProblem !== undefined}
          onPress={act}
        >
          {title}
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </div>
    </Dialog>
  )
}

async function send(index: number, action: Action, delayMs: number): Promise<void> {
  const path = `/operators/${index}`
  if (action === 'stop' || action === 'start') await control.post(`${path}/${action}`)
  else
    await control.post(`${path}/fault`, {
      kind: action,
      ...(action === 'delay' ? { delayMs } : {}),
    })
}
