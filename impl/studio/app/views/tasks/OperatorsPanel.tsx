import { jsonOrText } from '../../data/jsonOrText.ts'
import { Address } from '../../names/Address.tsx'
import { Badge, type Tone } from '../../ui/Badge.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Diff } from '../../ui/Diff.tsx'
import { Hex, shortHex } from '../../ui/Hex.tsx'
import { JsonView } from '../../ui/JsonView.tsx'
import { Empty } from '../../ui/Notice.tsx'
import { durationText } from '../../ui/Time.tsx'
import { type OperatorRow, operatorRows } from './operatorRows.ts'
import type { KnownTask } from './useTaskTrace.ts'

const tones: Readonly<Record<string, Tone>> = { ok: 'good', failed: 'bad', none: 'neutral' }
const words: Readonly<Record<string, string>> = { ok: 'yes', failed: 'failed', none: '–' }

const columns: readonly Column<OperatorRow>[] = [
  { title: 'Operator', cell: ({ address }) => <Address value={address} /> },
  {
    title: 'Stake',
    cell: ({ stake, share }) =>
      stake === undefined
        ? '–'
        : `${stake}${share === undefined ? '' : ` (${Math.round(share * 100)} %)`}`,
  },
  {
    title: 'Data',
    cell: ({ data, collectMs }) => <Phase state={data} took={collectMs} />,
  },
  {
    title: 'As settled',
    cell: ({ typed }) => {
      if (typed === undefined) return <span class="muted">not known</span>
      const count = typed.reduce((sum, each) => sum + each.length, 0)
      return count === 0 ? (
        <Badge tone="good">equal</Badge>
      ) : (
        <Badge tone="warn">{count === 1 ? '1 value differs' : `${count} values differ`}</Badge>
      )
    },
  },
  {
    title: 'Vote',
    cell: ({ signature, signMs }) => <Phase state={signature} took={signMs} />,
  },
  { title: 'Error', cell: ({ error }) => error?.slice(0, 300) ?? '–' },
]

const Phase = (props: { readonly state: string; readonly took: number | undefined }) => (
  <>
    <Badge tone={tones[props.state] ?? 'neutral'}>{words[props.state] ?? props.state}</Badge>
    {props.took === undefined ? null : <span class="muted"> {durationText(props.took)}</span>}
  </>
)

/** Votes with stake, settled data, and in what the data of each operator differed. */
export function OperatorsPanel({ known }: { readonly known: KnownTask }) {
  const { summary, path } = known
  if (summary === undefined) return <Empty>Nothing is known of the operators of this task.</Empty>
  const { votes, settled, aggregation } = summary
  const rows = operatorRows(summary.operators, settled, path)
  const differing = rows.filter(({ typed }) => typed?.some((each) => each.length > 0))
  const stake = votes.stake === undefined ? '' : `, ${votes.stake} % of the stake`
  const needed = votes.threshold === undefined ? '' : `; ${votes.threshold} % are needed`
  return (
    <div class="stack">
      <p>
        {votes.signed} of {votes.known} operators signed{stake}
        {needed}.
      </p>
      <DataTable label="Operators" rows={rows} columns={columns} keyOf={({ address }) => address} />
      {aggregation === undefined ? null : (
        <p class="muted">
          Aggregate of <Hex value={aggregation.digest} />, at block {aggregation.referenceBlock};{' '}
          {aggregation.nonSigners} did not sign.
        </p>
      )}
      {settled === undefined && path === undefined ? (
        <p class="muted">
          The data that the operators settled on is not known: it is kept in memory for the latest
          1,000 tasks, until the stack stops.
        </p>
      ) : settled === undefined || settled.length === 0 ? null : (
        <>
          <h2>Settled data</h2>
          {settled.map((text, at) => (
            <JsonView key={at} value={jsonOrText(text)} />
          ))}
        </>
      )}
      {differing.map(({ address, typed = [] }) => (
        <section key={address} class="stack" aria-label={`Data of ${shortHex(address)}`}>
          <h2>
            Data of <Address value={address} />
          </h2>
          {typed.map((differences, at) =>
            differences.length === 0 ? null : (
              <Diff
                key={at}
                label={`Oracle ${at + 1}, data of ${shortHex(address)}`}
                sides={['Settled', 'Of this operator']}
                differences={differences}
              />
            ),
          )}
        </section>
      ))}
    </div>
  )
}
