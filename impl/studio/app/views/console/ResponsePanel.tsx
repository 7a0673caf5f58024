import { Badge } from '../../ui/Badge.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { JsonView } from '../../ui/JsonView.tsx'
import { ErrorNotice } from '../../ui/Notice.tsx'
import { durationText } from '../../ui/Time.tsx'
import { outcomeOf, type Received } from './sendRequest.ts'

const longestText = 20_000

/** A response with its timing, or why there is none. */
export function ResponsePanel(props: {
  readonly received: Received | undefined
  readonly error: Error | undefined
}) {
  const { received, error } = props
  if (error !== undefined) return <ErrorNotice error={error} />
  if (received === undefined) return null
  const { status, ms, bytes, headers, text, json } = received
  const outcome = outcomeOf(received)
  return (
    <section class="panel stack" aria-label="Response">
      <div class="row">
        <h2>Response</h2>
        <Badge tone={outcome === 'ok' ? 'good' : 'bad'}>
          {outcome === 'ok' ? `HTTP ${status}` : `error ${outcome}, HTTP ${status}`}
        </Badge>
        <span class="muted">
          {durationText(ms)}, {bytes.toLocaleString()} bytes
        </span>
        <CopyButton label="Copy response" text={() => text} />
      </div>
      {json === undefined ? (
        <pre tabIndex={0}>{text.slice(0, longestText)}</pre>
      ) : (
        <JsonView value={json} open={5} />
      )}
      <details>
        <summary>Headers</summary>
        <dl class="pairs">
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  )
}
