import type { RedeliveryResult } from 'polgate-protocol/control/webhooks.ts'
import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { ErrorNotice } from '../../ui/Notice.tsx'

/** Delivers a notification once more, and says what became of it. */
export function RedeliverButton(props: {
  readonly id: string
  readonly onDone?: (() => void) | undefined
}) {
  const { id, onDone } = props
  const [result, setResult] = useState<RedeliveryResult>()
  const [error, setError] = useState<Error>()
  const redeliver = async () => {
    setResult(undefined)
    setError(undefined)
    await control
      .post<RedeliveryResult>(`/webhooks/deliveries/${encodeURIComponent(id)}/redeliver`)
      .then(setResult, (reason: Error) => setError(reason))
    onDone?.()
  }
  return (
    <div class="row" role="group" aria-label="Redelivery">
      <Button onPress={redeliver}>Redeliver</Button>
      {result === undefined ? null : (
        <span role="status">
          <Badge tone={result.outcome === 'delivered' ? 'good' : 'bad'}>{result.outcome}</Badge>{' '}
          {result.error}
        </span>
      )}
      <ErrorNotice error={error} />
    </div>
  )
}
