import type { InboxDelivery } from 'polgate-protocol/control/webhooks.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Badge } from '../../ui/Badge.tsx'
import { JsonView } from '../../ui/JsonView.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { RedeliverButton } from './RedeliverButton.tsx'

/** A request that arrived: headers, body, and whether its signature is right. */
export function DeliveryDetail({ delivery }: { readonly delivery: InboxDelivery }) {
  const { verified, fault, headers, body, bodySize, notificationId, attempt } = delivery
  const json = parsed(body)
  return (
    <section class="panel stack" aria-label="Delivery">
      <div class="row">
        <h2>Delivery {delivery.seq}</h2>
        <Badge tone={verified ? 'good' : 'bad'}>
          {verified ? 'signature verified' : 'not verified'}
        </Badge>
        <span class="muted">attempt {attempt}</span>
        <a href={hashOf('webhooks', ['inbox'])}>Close</a>
      </div>
      {fault === null ? null : <Notice tone="bad">{fault}</Notice>}
      {notificationId === null ? null : (
        <div class="row">
          <RedeliverButton id={notificationId} />
          <a href={hashOf('webhooks', ['notifications', notificationId])}>Retries</a>
        </div>
      )}
      <h3>Headers</h3>
      <dl class="webhook-headers">
        {headers.map(([name, value], at) => (
          <div key={at}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h3>Body</h3>
      {json === undefined ? <pre tabIndex={0}>{body}</pre> : <JsonView value={json} />}
      <p class="muted">{bodySize.toLocaleString()} bytes</p>
    </section>
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
