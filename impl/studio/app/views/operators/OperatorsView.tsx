import type { OperatorReport, QuorumReport } from 'polgate-protocol/control/operators.ts'
import { maxDelayMs } from 'polgate-protocol/control/operators.ts'
import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { target } from '../../data/target.ts'
import { usePolled } from '../../data/usePolled.ts'
import { hashOf, navigate } from '../../data/useRoute.ts'
import { TextField } from '../../ui/Field.tsx'
import { ErrorNotice, Notice } from '../../ui/Notice.tsx'
import type { ViewProps } from '../../viewProps.ts'
import { BreakDialog } from './BreakDialog.tsx'
import { type Action, actionTitles, breaksQuorum, standingAfter } from './effect.ts'
import { OperatorCard } from './OperatorCard.tsx'
import './operators.css'
import { QuorumMeter } from './QuorumMeter.tsx'
import { RegisteredView } from './RegisteredView.tsx'

/** The operators, and whether their quorum holds: now, and after what one could do to them. */
export const OperatorsView = ({ route }: ViewProps) => (
  <>
    <h1>Operators</h1>
    {target().has.control ? <StackOperators route={route} /> : <RegisteredView />}
  </>
)

type Chosen = { readonly operator: OperatorReport; readonly action: Action }

const textOf = ({ operator, action }: Chosen) =>
  `${actionTitles[action]} operator ${operator.index}`

function StackOperators({ route }: ViewProps) {
  const threshold = route.query.get('threshold') ?? '67'
  const thresholdError = errorOf(threshold, 0, 100)
  const [delayMs, setDelayMs] = useState('2000')
  const [preview, setPreview] = useState<Chosen>()
  const [asking, setAsking] = useState<Chosen>()
  const [failure, setFailure] = useState<Error>()
  const operators = usePolled(
    (signal) => control.get<OperatorReport[]>('/operators', signal),
    2_000,
  )
  const quorum = usePolled(
    (signal) =>
      control.get<QuorumReport>(
        `/operators/quorum?threshold=${thresholdError === undefined ? threshold : 67}`,
        signal,
      ),
    2_000,
    [threshold],
  )
  const delayError = errorOf(delayMs, 1, maxDelayMs)

  const act = async ({ operator, action }: Chosen) => {
    setAsking(undefined)
    const path = `/operators/${operator.index}`
    try {
      if (action === 'stop' || action === 'start') await control.post(`${path}/${action}`)
      else if (action === 'delay')
        await control.post(`${path}/fault`, { kind: action, delayMs: Number(delayMs) })
      else await control.post(`${path}/fault`, { kind: action })
      setFailure(undefined)
    } catch (error) {
      setFailure(error as Error)
    }
    operators.refresh()
    quorum.refresh()
  }
  const press = (chosen: Chosen) => {
    const { value } = quorum
    if (value !== undefined && breaksQuorum(value, chosen.operator, chosen.action))
      return setAsking(chosen)
    return act(chosen)
  }

  return (
    <>
      <ErrorNotice error={failure ?? operators.error ?? quorum.error} />
      {quorum.value === undefined ? null : (
        <QuorumMeter quorum={quorum.value} after={effectOf(quorum.value, asking ?? preview)} />
      )}
      <div class="operator-settings">
        <TextField
          label="Threshold in percent"
          type="number"
          value={threshold}
          error={thresholdError}
          help="What a task asks for; 67 by default."
          onChange={(next) =>
            navigate(hashOf('operators', [], { threshold: next }), { replace: true })
          }
        />
        <TextField
          label="Delay in milliseconds"
          type="number"
          value={delayMs}
          error={delayError}
          help="Of the answers of an operator that is delayed."
          onChange={setDelayMs}
        />
      </div>
      {operators.value?.[0]?.noFaults === undefined ? null : (
        <Notice>Faults: {operators.value[0].noFaults}.</Notice>
      )}
      <div class="operator-cards">
        {operators.value?.map((operator) => (
          <OperatorCard
            key={operator.index}
            operator={operator}
            total={quorum.value?.total}
            onAction={(action) =>
              action === 'delay' && delayError !== undefined
                ? undefined
                : press({ operator, action })
            }
            onPreview={(action) => setPreview(action && { operator, action })}
          />
        ))}
      </div>
      {asking === undefined || quorum.value === undefined ? null : (
        <BreakDialog
          text={textOf(asking)}
          standing={standingAfter(quorum.value, asking.operator, asking.action)}
          required={quorum.value.required}
          onConfirm={() => act(asking)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  )
}

const effectOf = (quorum: QuorumReport, chosen: Chosen | undefined) =>
  chosen && {
    text: textOf(chosen),
    standing: standingAfter(quorum, chosen.operator, chosen.action),
  }

function errorOf(text: string, least: number, most: number): string | undefined {
  const value = Number(text)
  return text !== '' && Number.isInteger(value) && value >= least && value <= most
    ? undefined
    : `a whole number from ${least} to ${most}`
}
