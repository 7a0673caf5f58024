import type {
  ConformanceGroups,
  ConformanceResult,
  ConformanceRun,
} from 'polgate-protocol/control/conformance.ts'
import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { usePolled } from '../../data/usePolled.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { Empty, ErrorNotice, Notice } from '../../ui/Notice.tsx'
import { durationText, Time } from '../../ui/Time.tsx'
import { ReportButton } from './ReportButton.tsx'
import { RunButton } from './RunButton.tsx'
import { doneOf, selectionText, toneOf, verdictOf } from './runText.ts'
import { useRun } from './useRun.ts'

/** One run, live: progress, failures by cause, then every result. */
export function RunView({ id }: { readonly id: string }) {
  const { value, error, refresh } = useRun(id)
  return (
    <>
      <p>
        <a href={hashOf('conformance')}>All checks and runs</a>
      </p>
      <ErrorNotice error={error} />
      {value === undefined ? null : (
        <>
          <Summary run={value.run} onCancelled={refresh} />
          <Groups run={value.run} results={value.results} />
          <Results run={value.run} results={value.results} />
        </>
      )}
    </>
  )
}

function Summary(props: { readonly run: ConformanceRun; readonly onCancelled: () => void }) {
  const { run } = props
  const { counts, planned, ms, startedAt, command, reason, seed } = run
  const { tone, text } = verdictOf(run)
  const failed = run.state === 'finished' && counts.failed > 0
  const cancel = async () => {
    await control.delete(`/conformance/runs/${encodeURIComponent(run.id)}`)
    props.onCancelled()
  }
  return (
    <section class="panel stack" aria-label="Run">
      <div class="row">
        <h2>{selectionText(run)}</h2>
        <Badge tone={tone}>{text}</Badge>
        <span class="muted">
          <Time at={startedAt} />, {durationText(ms)}
        </span>
      </div>
      {run.state === 'running' ? (
        <label class="progress">
          <span>
            {doneOf(run)} of {planned}
          </span>
          <progress value={doneOf(run)} max={Math.max(1, planned)} />
        </label>
      ) : null}
      <div class="row" aria-live="polite">
        <Badge tone="good">{counts.passed} passed</Badge>
        <Badge tone={counts.failed > 0 ? 'bad' : 'neutral'}>{counts.failed} failed</Badge>
        <Badge>{counts.untestable} untestable</Badge>
        <Badge>{counts.notApplicable} not applicable</Badge>
      </div>
      {reason === undefined ? null : <Notice tone="bad">{reason}</Notice>}
      <p class="muted">
        <code>{command}</code>
        {seed === undefined ? null : `, seed ${seed}`}
      </p>
      <div class="row">
        {run.state === 'running' ? (
          <Button kind="danger" onPress={cancel}>
            Cancel
          </Button>
        ) : (
          <>
            <RunButton selection={run.selection}>Run again</RunButton>
            <ReportButton run={run.id} />
          </>
        )}
      </div>
      {failed ? <p>Failures are below, by cause; open one to see its exchange.</p> : null}
    </section>
  )
}

const everyMs = 3_600_000

function Groups(props: {
  readonly run: ConformanceRun
  readonly results: readonly ConformanceResult[]
}) {
  const { run, results } = props
  const { failed } = run.counts
  const { value } = usePolled(
    async (signal): Promise<ConformanceGroups> =>
      failed === 0
        ? { groups: [] }
        : control.get(`/conformance/runs/${encodeURIComponent(run.id)}/groups`, signal),
    everyMs,
    [run.id, failed],
  )
  const known = new Map(results.map((result) => [result.id, result]))
  const groups = value?.groups ?? []
  if (groups.length === 0) return null
  return (
    <section class="stack" aria-label="Failures by cause">
      <h2>Failures by cause</h2>
      {groups.map(({ cause, checks }) => (
        <details key={cause} class="panel" open={groups.length < 6}>
          <summary>
            <Badge tone="bad">{checks.length}</Badge> {cause}
          </summary>
          <ul class="failures">
            {checks.map((check) => (
              <li key={check}>
                <a href={hashOf('conformance', ['runs', run.id, check])}>{check}</a>{' '}
                <span class="muted">{known.get(check)?.title}</span>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  )
}

function Results(props: {
  readonly run: ConformanceRun
  readonly results: readonly ConformanceResult[]
}) {
  const [verdict, setVerdict] = useState('')
  const rows = props.results.filter((each) => verdict === '' || each.verdict === verdict).reverse()
  const columns: readonly Column<ConformanceResult>[] = [
    {
      title: 'Check',
      cell: ({ id, title }) => (
        <>
          <a href={hashOf('conformance', ['runs', props.run.id, id])}>{id}</a>
          <div class="muted">{title}</div>
        </>
      ),
    },
    { title: 'Section', cell: ({ section }) => section },
    { title: 'Level', cell: ({ level }) => level },
    {
      title: 'Verdict',
      cell: (each) => (
        <>
          <Badge tone={toneOf(each.verdict)}>{each.verdict}</Badge>
          {each.reason === undefined ? null : <div class="muted">{each.reason}</div>}
        </>
      ),
    },
    { title: 'Time', cell: ({ ms }) => (ms === 0 ? '–' : durationText(ms)) },
  ]
  return (
    <section class="stack" aria-label="Results">
      <h2>Results</h2>
      <SelectField
        label="Verdict"
        value={verdict}
        options={[
          { value: '', text: 'all' },
          ...['failed', 'untestable', 'not-applicable', 'passed'].map((text) => ({
            value: text,
            text,
          })),
        ]}
        onChange={setVerdict}
      />
      {rows.length === 0 ? (
        <Empty>No check has this result yet.</Empty>
      ) : (
        <DataTable
          label="Results of the run"
          rows={rows}
          columns={columns}
          keyOf={({ id }) => id}
        />
      )}
    </section>
  )
}
