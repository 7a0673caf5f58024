import { useState } from 'preact/hooks'
import type { PlaygroundAnswer } from '../../../playground/evaluation.ts'
import { jsonOrText } from '../../data/jsonOrText.ts'
import { ErrorNotice, Notice } from '../../ui/Notice.tsx'
import { OutcomeBadge } from '../../ui/OutcomeBadge.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { durationText } from '../../ui/Time.tsx'
import { ProfileTable } from './ProfileTable.tsx'
import { Trace } from './Trace.tsx'
import type { Evaluated } from './usePlayground.ts'

/** The decision with its reasons, and how it came about. */
export function Outcome({ evaluated }: { readonly evaluated: Evaluated }) {
  const { answer, error, running } = evaluated
  const [tab, setTab] = useState('trace')
  return (
    <section class="stack panel" aria-label="Decision" aria-busy={running}>
      <div class="row" role="status">
        <h2>Decision</h2>
        {running ? <span class="muted">Evaluating …</span> : null}
        {answer === undefined || running ? null : <Decision answer={answer} />}
      </div>
      <ErrorNotice error={error} />
      {answer?.diagnostics.map(({ editor, message, row }) => (
        <Notice key={message} tone="bad">
          {editor === 'source' ? 'Policy' : editor}
          {row === undefined ? '' : `, line ${row}`}: {message}
        </Notice>
      ))}
      {answer === undefined || answer.decision === undefined ? null : (
        <Reasons reasons={answer.decision.reasons} />
      )}
      {answer?.coverage === undefined ? null : (
        <Tabs
          label="Explanations"
          selected={tab}
          onSelect={setTab}
          tabs={[
            { id: 'trace', title: 'Trace', content: () => <Trace rules={answer.trace} /> },
            {
              id: 'profile',
              title: 'Profile',
              content: () => <ProfileTable lines={answer.profile} />,
            },
          ]}
        />
      )}
    </section>
  )
}

function Decision({ answer }: { readonly answer: PlaygroundAnswer }) {
  const { decision, coverage, milliseconds } = answer
  return (
    <>
      {decision === undefined ? (
        <OutcomeBadge outcome="failed" />
      ) : (
        <OutcomeBadge outcome={decision.outcome} value={jsonOrText(decision.value)} />
      )}
      {coverage === undefined ? null : (
        <span class="muted">
          {durationText(milliseconds)}, {coverage.percent} % of the lines reached
        </span>
      )}
    </>
  )
}

const Reasons = ({ reasons }: { readonly reasons: readonly string[] }) =>
  reasons.length === 0 ? (
    <p class="muted">No deny reasons.</p>
  ) : (
    <ul class="reasons" aria-label="Deny reasons">
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  )
