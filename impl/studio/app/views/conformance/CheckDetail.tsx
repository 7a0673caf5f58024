import type { ConformanceDetail } from 'polgate-protocol/control/conformance.ts'
import { control } from '../../data/control.ts'
import { usePolled } from '../../data/usePolled.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Badge } from '../../ui/Badge.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Diff } from '../../ui/Diff.tsx'
import { Empty, ErrorNotice } from '../../ui/Notice.tsx'
import { durationText } from '../../ui/Time.tsx'
import { diffTexts, subjectIndex, twinOf } from './diffJson.ts'
import { ExchangeView } from './ExchangeView.tsx'
import { ReplayPanel } from './ReplayPanel.tsx'
import { RunButton } from './RunButton.tsx'
import { toneOf } from './runText.ts'

/** Evidence of a run does not change. */
const everyMs = 3_600_000

/** One result: what was expected, what was observed, and every exchange. */
export function CheckDetail({ run, check }: { readonly run: string; readonly check: string }) {
  const path = `/conformance/runs/${encodeURIComponent(run)}/checks/${encodeURIComponent(check)}`
  const { value, error } = usePolled(
    (signal) => control.get<ConformanceDetail>(path, signal),
    everyMs,
    [path],
  )
  return (
    <>
      <p>
        <a href={hashOf('conformance', ['runs', run])}>Back to the run</a>
      </p>
      <ErrorNotice error={error} />
      {value === undefined ? null : <Detail detail={value} run={run} />}
    </>
  )
}

function Detail({ detail, run }: { readonly detail: ConformanceDetail; readonly run: string }) {
  const { result, seed, evidence, dropped } = detail
  const subject = subjectIndex(evidence)
  const differences = diffTexts(result.expected ?? '', result.observed ?? '')
  return (
    <>
      <div class="row">
        <h2>{result.title}</h2>
        <Badge tone={toneOf(result.verdict)}>{result.verdict}</Badge>
      </div>
      <p class="muted">
        <code>{result.id}</code>, {result.level}, {result.clauses.join(', ')},{' '}
        {durationText(result.ms)}, replay id <code>{result.replayId}</code>
      </p>
      <dl class="finding">
        {[
          ['Call', result.call],
          ['Sent', result.sent],
          ['Reason', result.reason],
          ['Expected', result.expected],
          ['Observed', result.observed],
          ['Counterexample', result.counterexample],
        ].map(([name, text]) =>
          text === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ),
        )}
      </dl>
      {differences === undefined ? null : (
        <Diff
          label="Differences of expected and observed"
          sides={['Expected', 'Observed']}
          differences={differences}
        />
      )}
      <div class="row">
        <RunButton selection={{ only: [result.id], ...(seed === undefined ? {} : { seed }) }}>
          Run this check again
        </RunButton>
        {result.curl === undefined ? null : (
          <CopyButton label="Copy as curl" text={() => result.curl!} />
        )}
      </div>
      {subject === -1 ? null : <Subject {...{ evidence, subject, run }} check={result.id} />}
      <h3>
        Everything that was observed ({evidence.length}
        {dropped === 0 ? '' : `, ${dropped} more were dropped`})
      </h3>
      {evidence.length === 0 ? <Empty>The check recorded nothing.</Empty> : null}
      {evidence.map((seen, index) => (
        <details key={index} class="panel">
          <summary>
            {durationText(seen.at)}: {seen.kind}{' '}
            {seen.request === undefined ? '' : `${seen.request.method} ${seen.request.url}`}{' '}
            {seen.phase === undefined ? null : <Badge>{seen.phase}</Badge>}
            {index === subject ? <Badge tone="warn">subject</Badge> : null}
          </summary>
          <ExchangeView seen={seen} />
        </details>
      ))}
    </>
  )
}

/** The exchange that the verdict is about, how it differs from the valid one, and its replay. */
function Subject(props: {
  readonly evidence: ConformanceDetail['evidence']
  readonly subject: number
  readonly run: string
  readonly check: string
}) {
  const { evidence, subject, run, check } = props
  const seen = evidence[subject]!
  const twin = twinOf(evidence, seen)
  const differences =
    twin === undefined ? undefined : diffTexts(twin.request!.body, seen.request!.body)
  return (
    <section class="panel stack" aria-label="The exchange that decided">
      <h3>The exchange that decided</h3>
      <ExchangeView seen={seen} />
      {differences === undefined ? null : (
        <>
          <h3>Differences from the valid request</h3>
          <Diff
            label="Differences from the valid request"
            sides={['Valid request', 'This request']}
            differences={differences}
          />
        </>
      )}
      <ReplayPanel {...{ run, check }} evidence={subject} />
    </section>
  )
}
