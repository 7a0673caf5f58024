import { useState } from 'preact/hooks'
import { usePolled } from '../../data/usePolled.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Address } from '../../names/Address.tsx'
import { useNamed } from '../../names/names.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { Empty, ErrorNotice } from '../../ui/Notice.tsx'
import { DecodedName } from './DecodedView.tsx'
import { decodeLog, type Log } from './decode.ts'
import { readEvents, searched } from './reads.ts'

const shown = 100

/** The events of the latest blocks, decoded, newest first. */
export function EventsTab() {
  const named = useNamed()
  const [contract, setContract] = useState('')
  const { value, error } = usePolled(
    () => readEvents(contract === '' ? undefined : contract),
    2_000,
    [contract],
  )
  const columns: readonly Column<Log>[] = [
    {
      title: 'Block',
      cell: ({ blockNumber }) => (
        <a href={hashOf('chain', ['block', String(Number(blockNumber))])}>{Number(blockNumber)}</a>
      ),
    },
    { title: 'Event', cell: (log) => <DecodedName decoded={decodeLog(log)} /> },
    { title: 'About', cell: (log) => <Subject log={log} /> },
    { title: 'Contract', cell: ({ address }) => <Address value={address} /> },
    {
      title: 'Transaction',
      cell: ({ transactionHash: hash }) => (
        <Hex value={hash} href={hashOf('chain', ['tx', hash])} />
      ),
    },
  ]
  const newest = [...(value ?? [])].reverse().slice(0, shown)
  return (
    <>
      <SelectField
        label="Contract"
        value={contract}
        options={[
          { value: '', text: 'all' },
          ...named.map(({ address, name }) => ({ value: address, text: name })),
        ]}
        onChange={setContract}
      />
      <ErrorNotice error={error} />
      {value === undefined ? null : newest.length === 0 ? (
        <Empty>No events in the latest {searched.toLocaleString()} blocks.</Empty>
      ) : (
        <DataTable
          label="Events"
          rows={newest}
          columns={columns}
          keyOf={({ blockNumber, logIndex }) => `${blockNumber} ${logIndex}`}
        />
      )}
    </>
  )
}

/** The task of an event, or else its first argument. */
function Subject({ log }: { readonly log: Log }) {
  const args = decodeLog(log)?.args ?? {}
  const { taskId } = args
  if (typeof taskId === 'string') return <Hex value={taskId} href={hashOf('tasks', [taskId])} />
  const [first] = Object.values(args)
  return typeof first === 'string' ? <Address value={first} /> : <span class="muted">–</span>
}
