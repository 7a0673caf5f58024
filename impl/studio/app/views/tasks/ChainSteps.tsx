import { hashOf } from '../../data/useRoute.ts'
import { Address } from '../../names/Address.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { Empty } from '../../ui/Notice.tsx'
import { Time } from '../../ui/Time.tsx'
import { type ChainStep, chainEventNames, chainSteps } from './chainEvents.ts'
import type { KnownTask } from './useTaskTrace.ts'

const columns: readonly Column<ChainStep>[] = [
  { title: 'Event', cell: ({ kind }) => chainEventNames[kind] },
  {
    title: 'Block',
    cell: ({ block }) =>
      block === null ? '–' : <a href={hashOf('chain', ['block', String(block)])}>{block}</a>,
  },
  {
    title: 'Transaction',
    cell: ({ transaction }) =>
      transaction === null ? (
        '–'
      ) : (
        <Hex value={transaction} href={hashOf('chain', ['tx', transaction])} />
      ),
  },
  { title: 'Time', cell: ({ at }) => (at === null ? '–' : <Time at={at} />) },
  {
    title: 'Details',
    cell: ({ facts }) =>
      Object.entries(facts).map(([name, value]) => (
        <span key={name} class="task-fact">
          {name} {value.startsWith('0x') ? <Address value={value} /> : value}
        </span>
      )),
  },
]

/** Posting, spending and challenge. */
export function ChainSteps({ known }: { readonly known: KnownTask }) {
  const steps = chainSteps(known.path?.chain ?? [], known.row)
  const posting = known.path?.spans.filter(({ kind }) => kind === 'post').at(-1)
  return (
    <div class="stack">
      {posting?.error === undefined ? null : <p class="wrap">Posting failed: {posting.error}</p>}
      {steps.length === 0 ? (
        <Empty>
          {known.summary?.status === 'success'
            ? 'Nothing of this task is on chain yet.'
            : 'Nothing of this task is on chain.'}
        </Empty>
      ) : (
        <DataTable
          label="Events on chain"
          rows={steps}
          columns={columns}
          keyOf={({ kind, transaction }) => `${kind} ${transaction}`}
        />
      )}
      {steps.some(({ kind }) => kind === 'spent') || steps.length === 0 ? null : (
        <p class="muted">The attestation has not been spent.</p>
      )}
    </div>
  )
}
