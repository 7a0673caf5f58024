import { typedDiff } from 'polgate-lib/view/typedDiff.ts'
import { Diff } from '../../ui/Diff.tsx'
import { OutcomePanel } from './OutcomePanel.tsx'
import { outcomeOf } from './outcome.ts'
import { type KnownTask, useTaskTrace } from './useTaskTrace.ts'

/** The outcome of a task beside that of a new one, and in what they differ. */
export function TaskComparison(props: { readonly before: KnownTask; readonly id: string }) {
  const { before } = props
  const after = useTaskTrace(props.id)
  const isEnded = after.state !== undefined && after.state.result !== null
  const differences = typedDiff(outcomeOf(before), outcomeOf(after))
  return (
    <div class="stack">
      <div class="columns">
        <OutcomePanel title="Before" known={before} />
        <OutcomePanel title="Now" known={after} />
      </div>
      {!isEnded ? (
        <p class="muted" role="status">
          The new task has not ended yet …
        </p>
      ) : differences.length === 0 ? (
        <p role="status">Both have the same outcome and the same data.</p>
      ) : (
        <Diff
          label="Differences of the outcomes"
          sides={['Before', 'Now']}
          differences={differences}
        />
      )}
    </div>
  )
}
