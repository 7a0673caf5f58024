import type { OperatorReport, QuorumReport } from 'polgate-protocol/control/operators.ts'
import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { target } from '../../data/target.ts'
import { usePolled } from '../../data/usePolled.ts'
import { hashOf, navigate } from '../../data/useRoute.ts'
import { TextField } from '../../ui/Field.tsx'
import { ErrorNotice, Notice } from '../../ui/Notice.tsx'
import type { ViewProps } from '../../viewProps.ts'
import { ActionDialog } from './ActionDialog.tsx'
import type { Action } from './effect.ts'
import { numberProblem } from './numberProblem.ts'
import { OperatorPanel } from './OperatorPanel.tsx'
import { OperatorTable } from './OperatorTable.tsx'
import './operators.css'
import { QuorumStanding } from './QuorumStanding.tsx'
import { RegisteredView } from './RegisteredView.tsx'

/** The operators, and whether their quorum holds: now, and after what one could do to them. */
export const OperatorsView = ({ route }: ViewProps) => (
  <>
    <h1>Operators</h1>
    {target().has.control ? <StackOperators route={route} /> : <RegisteredView />}
  </>
)

type Chosen = { readonly operator: OperatorReport; readonly action: Action }

function StackOperators({ route }: ViewProps) {
  const [selected] = route.rest
  const threshold = route.query.get('threshold') ?? '67'
  const thresholdProblem = numberProblem(threshold, 0, 100)
  const [chosen, setChosen] = useState<Chosen>()
  const operators = usePolled(
    (signal) => control.get<OperatorReport[]>('/operators', signal),
    2_000,
  )
  const quorum = usePolled(
    (signal) =>
      control.get<QuorumReport>(
        `/operators/quorum?threshold=${thresholdProblem === undefined ? threshold : 67}`,
        signal,
      ),
    2_000,
    [threshold],
  )
  const refresh = () => {
    operators.refresh()
    quorum.refresh()
  }
  const one = operators.value?.find(({ index }) => String(index) === selected)

  return (
    <>
      <ErrorNotice error={operators.error ?? quorum.error} />
      {quorum.value === undefined ? null : (
        <section class="panel" aria-label="Quorum">
          <QuorumStanding title="Quorum" quorum={quorum.value} standing={quorum.value.now} />
        </section>
      )}
      {operators.value?.[0]?.noFaults === undefined ? null : (
        <Notice>Faults: {operators.value[0].noFaults}.</Notice>
      )}
      {operators.value === undefined ? null : (
        <OperatorTable
          operators={operators.value}
          total={quorum.value?.total}
          selected={selected}
          onAction={(operator, action) => setChosen({ operator, action })}
        />
      )}
      {one === undefined ? null : <OperatorPanel key={one.index} operator={one} />}
      <div class="operator-threshold">
        <TextField
          label="Threshold in percent"
          type="number"
          value={threshold}
          error={thresholdProblem}
          help="What a task asks for; 67 by default."
          onChange={(next) =>
            navigate(hashOf('operators', route.rest, { threshold: next }), { replace: true })
          }
        />
      </div>
      {chosen === undefined || quorum.value === undefined ? null : (
        <ActionDialog
          {...chosen}
          quorum={quorum.value}
          onDone={refresh}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  )
}
