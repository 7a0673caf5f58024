import type { ShownExchange, ShownText } from 'polgate-protocol/control/taskTrace.ts'
import { Badge } from '../../ui/Badge.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { JsonView } from '../../ui/JsonView.tsx'

/** A request of an oracle and its response. */
export function ExchangePanel({ exchange }: { readonly exchange: ShownExchange }) {
  const { method, url, requestHeaders, requestBody, response } = exchange
  return (
    <>
      <h3>Request</h3>
      <p class="wrap">
        <Badge>{method}</Badge> <code>{url}</code>
      </p>
      <Headers headers={requestHeaders} />
      {requestBody.size === 0 ? null : <Body body={requestBody} />}
      <h3>Response</h3>
      {response === null ? (
        <p class="muted">There was none.</p>
      ) : (
        <>
          <p>
            <Badge tone={response.status < 400 ? 'good' : 'bad'}>{response.status}</Badge>{' '}
            <span class="muted">{response.body.size.toLocaleString()} bytes</span>
          </p>
          <Headers headers={response.headers} />
          <Body body={response.body} />
        </>
      )}
    </>
  )
}

const Headers = ({ headers }: { readonly headers: ShownExchange['requestHeaders'] }) =>
  headers.length === 0 ? null : (
    <details>
      <summary>{headers.length} headers</summary>
      <dl class="task-headers">
        {headers.map(([name, value], at) => (
          <div key={`${at} ${name}`}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )

/** Any text as a tree, if it is JSON. */
function jsonOf(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function Body({ body }: { readonly body: ShownText }) {
  const { text, note } = body
  if (text === null) return <p class="muted">Not shown: {note}.</p>
  const json = jsonOf(text)
  return (
    <>
      {note === undefined ? null : <p class="muted">Only {note}.</p>}
      {json === undefined ? (
        <pre class="task-body" tabIndex={0}>
          {text}
        </pre>
      ) : (
        <JsonView value={json.value} />
      )}
      <div>
        <CopyButton label="Copy the body" text={() => text} />
      </div>
    </>
  )
}
