import { usePolled } from '../../data/usePolled.ts'
import { ErrorNotice } from '../../ui/Notice.tsx'
import { DecodedName, DecodedView } from './DecodedView.tsx'
import { type Decoded, decodeRevert } from './decode.ts'
import { panicText } from './panicText.ts'
import { readRevert } from './readRevert.ts'
import type { Transaction } from './reads.ts'

/** Why a transaction was reverted. */
export function RevertReason({ transaction }: { readonly transaction: Transaction }) {
  const { value, error } = usePolled(() => readRevert(transaction), 60_000, [transaction.hash])
  return (
    <div class="stack">
      <ErrorNotice error={error} />
      {value === undefined ? null : value.data === undefined ? (
        <span class="muted">
          Not known: the same call succeeds on the state of the block before, and this node traces
          nothing.
        </span>
      ) : (
        <>
          <Reason data={value.data} />
          {value.isReplayed ? (
            <p class="muted">
              From the same call on the state of the block before: transactions earlier in its block
              may have mattered.
            </p>
          ) : null}
        </>
      )}
    </div>
  )
}

function Reason({ data }: { readonly data: `0x${string}` }) {
  if (data === '0x')
    return (
      <span class="muted">
        It returned no reason: it ran out of gas, or a condition without a message did not hold.
      </span>
    )
  const decoded = decodeRevert(data)
  return decoded === undefined ? (
    <pre class="chain-input" tabIndex={0}>
      {data.slice(0, 2_000)}
    </pre>
  ) : (
    <DecodedReason decoded={decoded} />
  )
}

function DecodedReason({ decoded }: { readonly decoded: Decoded }) {
  if (decoded.contract !== 'Solidity') return <DecodedView decoded={decoded} />
  const { name, args } = decoded
  return (
    <span>
      <DecodedName decoded={decoded} />{' '}
      {name === 'Panic' ? panicText(args.code) : String(args.message).slice(0, 2_000)}
    </span>
  )
}
