import { Badge } from '../../ui/Badge.tsx'
import { JsonView } from '../../ui/JsonView.tsx'
import type { Decoded } from './decode.ts'

/** The contract and name of a call or event. */
export const DecodedName = ({ decoded }: { readonly decoded: Decoded | undefined }) =>
  decoded === undefined ? (
    <span class="muted">unknown</span>
  ) : (
    <span>
      <Badge>{decoded.contract}</Badge> <code>{decoded.name}</code>
    </span>
  )

/** A call or event with its arguments. */
export const DecodedView = ({ decoded }: { readonly decoded: Decoded }) => (
  <div class="stack">
    <DecodedName decoded={decoded} />
    {Object.keys(decoded.args).length === 0 ? null : <JsonView value={decoded.args} open={1} />}
    {decoded.calls?.map((call, at) => (
      <div key={String(at)} class="panel">
        {call === undefined ? <DecodedName decoded={call} /> : <DecodedView decoded={call} />}
      </div>
    ))}
  </div>
)
