import type { WebhookInboxState } from 'polgate-protocol/control/webhooks.ts'
import { useState } from 'preact/hooks'
import type { ApiError } from '../../data/api.ts'
import { control } from '../../data/control.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { ErrorNotice } from '../../ui/Notice.tsx'
import { wholeNumber } from './wholeNumber.ts'

/** Registers the receiver as the webhook of a key. */
export function ReceiverForm(props: {
  readonly inbox: WebhookInboxState
  readonly onChanged: () => void
}) {
  const { inbox, onChanged } = props
  const [key, setKey] = useState('rpc')
  const [timeout, setTimeoutText] = useState('2')
  const [retries, setRetries] = useState('3')
  const [error, setError] = useState<Error>()
  const timeoutSeconds = wholeNumber(timeout, 1, 60)
  const maxRetries = wholeNumber(retries, 0, 10)
  const register = async (replace: boolean) => {
    setError(undefined)
    try {
      const body = { key, timeoutSeconds, maxRetries, replace }
      await control.post('/webhooks/inbox/register', body)
    } catch (reason) {
      setError(reason as Error)
    }
    onChanged()
  }
  const remove = async (name: string) => {
    await control
      .delete(`/webhooks/inbox/${encodeURIComponent(name)}`)
      .catch((reason: Error) => setError(reason))
    onChanged()
  }
  const isTaken = (error as ApiError | undefined)?.message.includes('has a webhook') === true
  const invalid = timeoutSeconds === undefined || maxRetries === undefined
  return (
    <section class="panel stack" aria-label="Receiver">
      <h2>Receiver</h2>
      {inbox.receivers.length === 0 ? (
        <p class="muted">Not registered: failures of tasks are not delivered to it.</p>
      ) : (
        <ul class="webhook-receivers">
          {inbox.receivers.map(({ key: name, registered, ...rest }) => (
            <li key={name} class="row">
              <strong>{name}</strong>
              <Badge tone={registered ? 'good' : 'warn'}>
                {registered ? 'registered' : 'replaced or dropped'}
              </Badge>
              <span class="muted">
                {rest.timeoutSeconds} s, {rest.maxRetries} retries
              </span>
              <Button small onPress={() => remove(name)} label={`Unregister ${name}`}>
                Unregister
              </Button>
            </li>
          ))}
        </ul>
      )}
      <SelectField
        label="Key whose tasks are notified"
        value={key}
        options={inbox.keys.map((name) => ({ value: name, text: name }))}
        onChange={setKey}
      />
      <div class="columns">
        <TextField
          label="Timeout of an attempt, seconds"
          value={timeout}
          error={timeoutSeconds === undefined ? 'a whole number from 1 to 60' : undefined}
          onChange={setTimeoutText}
        />
        <TextField
          label="Retries"
          value={retries}
          error={maxRetries === undefined ? 'a whole number from 0 to 10' : undefined}
          onChange={setRetries}
        />
      </div>
      <div class="row">
        <Button kind="primary" disabled={invalid} onPress={() => register(false)}>
          Register
        </Button>
        {isTaken ? (
          <Button kind="danger" disabled={invalid} onPress={() => register(true)}>
            Replace the webhook of this key
          </Button>
        ) : null}
      </div>
      <ErrorNotice error={error} />
    </section>
  )
}
