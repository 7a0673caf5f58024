import { usePolled } from '../../data/usePolled.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Chart } from '../../ui/chart/Chart.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { ErrorNotice } from '../../ui/Notice.tsx'
import { Time } from '../../ui/Time.tsx'
import { decodeCall } from './decode.ts'
import { gasChart, gasSummary } from './gasChart.ts'
import { type Block, pageSize, readBlocks } from './reads.ts'

const columns: readonly Column<Block>[] = [
  {
    title: 'Block',
    cell: ({ number }) => (
      <a href={hashOf('chain', ['block', String(Number(number))])}>{Number(number)}</a>
    ),
  },
  { title: 'Time', cell: ({ timestamp }) => <Time at={Number(timestamp) * 1_000} /> },
  { title: 'Transactions', cell: ({ transactions }) => callsOf(transactions) },
  { title: 'Gas', cell: ({ gasUsed }) => Number(gasUsed).toLocaleString() },
]

function callsOf(transactions: Block['transactions']): string {
  const names = transactions.map(({ input, to }) => {
    if (to === null) return 'deployment'
    return decodeCall(input)?.name ?? (input === '0x' ? 'transfer' : 'call')
  })
  return names.length === 0 ? '–' : `${names.length}: ${[...new Set(names)].join(', ')}`
}

/** The blocks, newest first; live as long as the newest ones are shown. */
export function BlocksTab({ newest }: { readonly newest: number | undefined }) {
  const { value, error } = usePolled(() => readBlocks(newest), 1_500, [newest])
  const last = value?.blocks.at(-1)
  const oldest = last === undefined ? 0 : Number(last.number)
  return (
    <>
      <ErrorNotice error={error} />
      {value === undefined ? null : (
        <>
          <Chart
            label="Gas per block"
            summary={gasSummary(value.blocks)}
            data={gasChart(value.blocks)}
          />
          <DataTable
            label="Blocks"
            rows={value.blocks}
            columns={columns}
            keyOf={({ number }) => number}
          />
          <nav class="row" aria-label="Pages">
            {newest === undefined ? (
              <span class="muted">Live, up to block {value.latest}</span>
            ) : (
              <>
                <a href={hashOf('chain', ['blocks'])}>Newest</a>
                <a href={hashOf('chain', ['blocks'], { from: String((newest ?? 0) + pageSize) })}>
                  Newer
                </a>
              </>
            )}
            {oldest === 0 ? null : (
              <a href={hashOf('chain', ['blocks'], { from: String(oldest - 1) })}>Older</a>
            )}
          </nav>
        </>
      )}
    </>
  )
}
