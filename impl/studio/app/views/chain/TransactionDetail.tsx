import { usePolled } from '../../data/usePolled.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Address } from '../../names/Address.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { Empty, ErrorNotice } from '../../ui/Notice.tsx'
import { weiText } from '../../ui/wei.ts'
import { DecodedView } from './DecodedView.tsx'
import { decodeCall, decodeLog } from './decode.ts'
import { RevertReason } from './RevertReason.tsx'
import { type Receipt, readTransaction, type Transaction } from './reads.ts'

/** A transaction: its call and the events that it caused, decoded. */
export function TransactionDetail({ hash }: { readonly hash: string }) {
  const { value, error } = usePolled(() => readTransaction(hash), 5_000, [hash])
  return (
    <>
      <h2>Transaction</h2>
      <Hex value={hash} />
      <ErrorNotice error={error} />
      {value === undefined ? null : value.transaction === null ? (
        <Empty>The node knows no transaction of this hash.</Empty>
      ) : (
        <>
          <Facts transaction={value.transaction} receipt={value.receipt} />
          {value.receipt?.status === '0x0' ? (
            <section class="stack" aria-label="Reason">
              <h3>Reason</h3>
              <RevertReason transaction={value.transaction} />
            </section>
          ) : null}
          <h3>Call</h3>
          <Call transaction={value.transaction} />
          <h3>Events</h3>
          <Events receipt={value.receipt} />
        </>
      )}
    </>
  )
}

function Facts(props: { readonly transaction: Transaction; readonly receipt: Receipt | null }) {
  const { transaction, receipt } = props
  const block = String(Number(transaction.blockNumber))
  return (
    <dl class="chain-facts">
      <div>
        <dt>Outcome</dt>
        <dd>
          {receipt === null ? (
            <Badge tone="warn">pending</Badge>
          ) : receipt.status === '0x1' ? (
            <Badge tone="good">succeeded</Badge>
          ) : (
            <Badge tone="bad">reverted</Badge>
          )}
        </dd>
      </div>
      <div>
        <dt>Block</dt>
        <dd>{receipt === null ? '–' : <a href={hashOf('chain', ['block', block])}>{block}</a>}</dd>
      </div>
      <div>
        <dt>From</dt>
        <dd>
          <Address value={transaction.from} />
        </dd>
      </div>
      <div>
        <dt>To</dt>
        <dd>
          <Address value={transaction.to ?? receipt?.contractAddress ?? 'new contract'} />
        </dd>
      </div>
      <div>
        <dt>Value</dt>
        <dd>{weiText(BigInt(transaction.value))}</dd>
      </div>
      <div>
        <dt>Gas</dt>
        <dd>{receipt === null ? '–' : Number(receipt.gasUsed).toLocaleString()}</dd>
      </div>
    </dl>
  )
}

function Call({ transaction: { input, to } }: { readonly transaction: Transaction }) {
  const decoded = to === null ? undefined : decodeCall(input)
  if (decoded !== undefined) return <DecodedView decoded={decoded} />
  if (input === '0x') return <span class="muted">A transfer, without a call.</span>
  return (
    <pre class="chain-input" tabIndex={0}>
      {input.slice(0, 2_000)}
    </pre>
  )
}

function Events({ receipt }: { readonly receipt: Receipt | null }) {
  if (receipt === null || receipt.logs.length === 0) return <span class="muted">None.</span>
  return (
    <>
      {receipt.logs.map((log) => {
        const decoded = decodeLog(log)
        return (
          <div key={log.logIndex} class="panel stack">
            <Address value={log.address} />
            {decoded === undefined ? (
              <pre class="chain-input" tabIndex={0}>
                {log.topics.join('\n')}
              </pre>
            ) : (
              <DecodedView decoded={decoded} />
            )}
          </div>
        )
      })}
    </>
  )
}
