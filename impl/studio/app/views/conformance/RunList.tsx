import type { ConformanceRun, ConformanceRuns } from 'polgate-protocol/control/conformance.ts'
import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { usePolled } from '../../data/usePolled.ts'
import { hashOf, navigate } from '../../data/useRoute.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { Empty, ErrorNotice } from '../../ui/Notice.tsx'
import { durationText, Time } from '../../ui/Time.tsx'
import { doneOf, selectionText, verdictOf } from './runText.ts'

const everyMs = 2_000

const columns: readonly Column<ConformanceRun>[] = [
  {
    title: 'Run',
    cell: (run) => (
      <a href={hashOf('conformance', ['runs', run.id])}>
        <Time at={run.startedAt} />
      </a>
    ),
  },
  { title: 'Checks', cell: (run) => selectionText(run) },
  {
    title: 'Verdict',
    cell: (run) => <Badge tone={verdictOf(run).tone}>{verdictOf(run).text}</Badge>,
  },
  {
    title: 'Results',
    cell: (run) => `${doneOf(run)} of ${run.planned}, ${run.counts.failed} failed`,
  },
  { title: 'Time', cell: ({ ms }) => durationText(ms) },
]

/** The runs of this stack, and the choice of two to compare. */
export function RunList() {
  const { value, error } = usePolled(
    (signal) => control.get<ConformanceRuns>('/conformance/runs', signal),
    everyMs,
  )
  const runs = value?.runs ?? []
  return (
    <section class="stack" aria-label="Runs">
      <h2>Runs</h2>
      <ErrorNotice error={error} />
      {value === undefined ? null : runs.length === 0 ? (
        <Empty>No run yet.</Empty>
      ) : (
        <>
          <DataTable
            label="Runs of the suite"
            {...{ rows: runs, columns }}
            keyOf={({ id }) => id}
          />
          {runs.length < 2 ? null : <CompareForm runs={runs} />}
        </>
      )}
    </section>
  )
}

function CompareForm({ runs }: { readonly runs: readonly ConformanceRun[] }) {
  const [before, setBefore] = useState(runs[1]!.id)
  const [after, setAfter] = useState(runs[0]!.id)
  const options = runs.map((run) => ({
    value: run.id,
    text: `${new Date(run.startedAt).toLocaleString()}: ${selectionText(run)}`,
  }))
  return (
    <div class="compare">
      <SelectField label="Before" value={before} options={options} onChange={setBefore} />
      <SelectField label="After" value={after} options={options} onChange={setAfter} />
      <Button
        disabled={before === after}
        onPress={() => navigate(hashOf('conformance', ['compare'], { before, after }))}
      >
        Compare
      </Button>
    </div>
  )
}
