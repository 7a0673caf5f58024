import type { ConformanceEvidence } from 'polgate-protocol/control/conformance.ts'
import { Badge } from '../../ui/Badge.tsx'
import { JsonView } from '../../ui/JsonView.tsx'
import { durationText } from '../../ui/Time.tsx'

/** A body: as a tree where it is JSON. */
export function Body({ text }: { readonly text: string }) {
  if (text === '') return <p class="muted">No body</p>
  try {
    return <JsonView value={JSON.parse(text)} open={4} />
  } catch {
    return <pre tabIndex={0}>{text}</pre>
  }
}

/** One observation of a check: what was sent, and what came back. */
export function ExchangeView({ seen }: { readonly seen: ConformanceEvidence }) {
  const { request, response, why, text, cut } = seen
  return (
    <div class="columns">
      {request === undefined ? null : (
        <section class="stack" aria-label="Request">
          <h3>Request</h3>
          <code class="line">
            {request.method} {request.url}
          </code>
          <HeaderList
            headers={{
              ...request.headers,
              ...(request.key === undefined
                ? {}
                : { [request.keyHeader ?? 'authorization']: `$${request.key}` }),
            }}
          />
          <Body text={request.body} />
        </section>
      )}
      <section class="stack" aria-label="Response">
        <h3>{response === undefined ? 'What happened' : 'Response'}</h3>
        {why === undefined ? null : <p>No response: {why}</p>}
        {text === undefined ? null : <pre tabIndex={0}>{text}</pre>}
        {response === undefined ? null : (
          <>
            <div class="row">
              <Badge>{`HTTP ${response.status}`}</Badge>
              <span class="muted">{durationText(response.ms)}</span>
            </div>
            <Body text={response.body} />
          </>
        )}
        {cut === undefined ? null : (
          <p class="muted">A text of {cut.toLocaleString()} characters was truncated.</p>
        )}
      </section>
    </div>
  )
}

const HeaderList = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => (
  <details>
    <summary>Headers ({Object.keys(headers).length})</summary>
    {Object.entries(headers).map(([name, value]) => (
      <div key={name} class="line">
        <code>
          {name}: {value}
        </code>
      </div>
    ))}
  </details>
)
