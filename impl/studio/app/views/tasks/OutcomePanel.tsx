import { Hex } from '../../ui/Hex.tsx'
import { JsonView } from '../../ui/JsonView.tsx'
import { outcomeOf } from './outcome.ts'
import { TaskOutcome } from './TaskOutcome.tsx'
import type { KnownTask } from './useTaskTrace.ts'

/** State, decision and reasons of one of two runs. */
export function OutcomePanel(props: { readonly title: string; readonly known: KnownTask }) {
  const { summary } = props.known
  return (
    <section class="panel stack" aria-label={props.title}>
      <div class="row">
        <h2>{props.title}</h2>
        <Hex value={props.known.id} />
        {summary === undefined ? <span class="muted">…</span> : <TaskOutcome summary={summary} />}
      </div>
      {summary === undefined ? null : <JsonView value={outcomeOf(props.known)} open={1} />}
    </section>
  )
}
