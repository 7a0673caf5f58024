import { useState } from 'preact/hooks'
import { etherText, weiOf } from './wei.ts'

/** Members of one object or array that are rendered until the rest is asked for. */
const shownMembers = 100
/** Longest text that is shown whole. */
const shownText = 2_000

/** JSON as a tree: deeper levels and long lists open on demand. */
export const JsonView = (props: {
  readonly value: unknown
  readonly open?: number | undefined
}) => (
  <div class="json" tabIndex={0} role="group" aria-label="JSON">
    <Node value={props.value} open={props.open ?? 3} />
  </div>
)

function Node({ value, open }: { readonly value: unknown; readonly open: number }) {
  if (typeof value === 'string') {
    const text = JSON.stringify(value.slice(0, shownText))
    return (
      <span class="text">{value.length > shownText ? `${text} … (${value.length})` : text}</span>
    )
  }
  if (typeof value !== 'object' || value === null)
    return <span class="number">{String(value)}</span>
  return <Members value={value} open={open} />
}

function Members({ value, open }: { readonly value: object; readonly open: number }) {
  const [most, setMost] = useState(shownMembers)
  const isArray = Array.isArray(value)
  const isIntent = 'from' in value && 'to' in value
  const entries = Object.entries(value)
  const summary = isArray ? `[${entries.length}]` : `{${entries.length}}`
  if (entries.length === 0) return <span>{isArray ? '[]' : '{}'}</span>
  return (
    <details open={open > 0}>
      <summary>{summary}</summary>
      <ul>
        {entries.slice(0, most).map(([key, member]) => (
          <li key={key}>
            <span class="key">{key}</span>: <Node value={member} open={open - 1} />
            {key === 'value' && isIntent ? <Ether of={member} /> : null}
          </li>
        ))}
        {entries.length > most ? (
          <li>
            <button type="button" class="button small" onClick={() => setMost(most + 1_000)}>
              {entries.length - most} more
            </button>
          </li>
        ) : null}
      </ul>
    </details>
  )
}

/** An amount in wei is hard to read. */
function Ether({ of }: { readonly of: unknown }) {
  const wei = weiOf(of)
  return wei === undefined ? null : <span class="muted"> {etherText(wei)}</span>
}
