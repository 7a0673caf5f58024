import { usePolled } from '../../data/usePolled.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Address } from '../../names/Address.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { Empty, ErrorNotice } from '../../ui/Notice.tsx'
import { Time } from '../../ui/Time.tsx'
import { DecodedName } from './DecodedView.tsx'
import { decodeCall } from './decode.ts'
import { readBlock, type Transaction } from './reads.ts'

/** A block and its transactions. */
export function BlockDetail({ number }: { readonly number: number }) {
  const { value: block, error } = usePolled(() => readBlock(number), 10_000, [number])
  const columns: readonly Column<Transaction>[] = [
    {
      title: 'Transaction',
      cell: ({ hash }) => <Hex value={hash} href={hashOf('chain', ['tx', hash])} />,
    },
    { title: 'Call', cell: ({ input }) => <DecodedName decoded={decodeCall(input)} /> },
    { title: 'From', cell: ({ from }) => <Address value={from} /> },
    {
      title: 'To',
      cell: ({ to }) => (to === null ? 'new contract' : <Address value={to} />),
    },
  ]
  return (
    <>
      <h2>Block {number}</h2>
      <ErrorNotice error={error} />
      {block === null ? <Empty>The chain has no block {number}.</Empty> : null}
      {block === undefined || block === null ? null : (
        <>
          <dl class="chain-facts">
            <div>
              <dt>Time</dt>
              <dd>
                <Time at={Number(block.timestamp) * 1_000} />
              </dd>
            </div>
            <div>
              <dt>Hash</dt>
              <dd>
                <Hex value={block.hash} />
              </dd>
            </div>
            <div>
              <dt>Gas</dt>
              <dd>
                {Number(block.gasUsed).toLocaleString()} of{' '}
                {Number(block.gasLimit).toLocaleString()}
              </dd>
            </div>
          </dl>
          <nav class="row" aria-label="Blocks">
            {number === 0 ? null : (
              <a href={hashOf('chain', ['block', String(number - 1)])}>Previous block</a>
            )}
            <a href={hashOf('chain', ['block', String(number + 1)])}>Next block</a>
          </nav>
          {block.transactions.length === 0 ? (
            <Empty>No transactions.</Empty>
          ) : (
            <DataTable
              label="Transactions"
              rows={block.transactions}
              columns={columns}
              keyOf={({ hash }) => hash}
            />
          )}
        </>
      )}
    </>
  )
}
