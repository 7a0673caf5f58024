import type { ShownEvaluation } from 'polgate-protocol/control/taskTrace.ts'
import { outcomeOf } from '../../../playground/evaluation.ts'
import { exactJsonOrText, jsonOrText } from '../../data/jsonOrText.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Address } from '../../names/Address.tsx'
import { RuleBadge } from '../../rules/RuleBadge.tsx'
import { JsonView } from '../../ui/JsonView.tsx'
import { Empty, Notice } from '../../ui/Notice.tsx'
import { OutcomeBadge } from '../../ui/OutcomeBadge.tsx'
import { decisionSteps } from './decisionSteps.ts'
import { PolicySource } from './PolicySource.tsx'
import type { KnownTask } from './useTaskTrace.ts'

/** The evaluations of the policy, with the lines that decided. */
export function PolicyPanel({ known }: { readonly known: KnownTask }) {
  const evaluations = known.path?.evaluations ?? []
  if (evaluations.length === 0)
    return (
      <Empty>
        No evaluation is known: it has not begun, or this target does not record it. A local stack
        keeps those of its latest 1,000 tasks in memory, until it stops.
      </Empty>
    )
  return (
    <div class="stack">
      <p>
        <a href={hashOf('playground', [known.id])}>Open in the playground</a>
      </p>
      {evaluations.map((each, at) => (
        <Evaluation key={at} evaluation={each} />
      ))}
    </div>
  )
}

const documents = ['input', 'params', 'wasm'] as const
const names = { input: 'input', params: 'data.params', wasm: 'data.wasm' } as const

function Evaluation({ evaluation }: { readonly evaluation: ShownEvaluation }) {
  const { operators, entrypoint, result, reasons, error, note, explanation } = evaluation
  const steps = explanation === null ? [] : decisionSteps(explanation, entrypoint)
  return (
    <section class="stack" aria-label={`Evaluation of ${entrypoint}`}>
      <div class="row">
        <code>{entrypoint}</code>
        {result === null ? (
          <OutcomeBadge outcome="failed" />
        ) : (
          <OutcomeBadge outcome={outcomeOf(result)} value={jsonOrText(result)} />
        )}
        {reasons.map((reason) => (
          <span key={reason} class="task-reason">
            {reason}
          </span>
        ))}
        <span class="muted">by</span>
        {operators.map((address) => (
          <Address key={address} value={address} />
        ))}
      </div>
      {error === null ? null : <Notice tone="bad">{error}</Notice>}
      {note === undefined ? null : <Notice tone="warn">It cannot be explained: {note}</Notice>}
      {steps.length === 0 ? null : (
        <ul class="task-steps" aria-label="What decided">
          {steps.map(({ rule, row, text, held, values }) => (
            <li key={`${rule} ${row}`}>
              <RuleBadge outcome={held ? 'held' : 'did not hold'} /> line {row} of{' '}
              <code>{rule}</code>: <code>{text}</code>
              {values === '' ? null : <span class="muted"> ({values})</span>}
            </li>
          ))}
        </ul>
      )}
      <PolicySource evaluation={evaluation} />
      <div class="columns">
        {documents.map((name) => (
          <details key={name}>
            <summary>
              <code>{names[name]}</code>
            </summary>
            <JsonView value={exactJsonOrText(evaluation[name])} open={2} />
          </details>
        ))}
      </div>
    </section>
  )
}
