import { changedDelay } from '../mutants/webhookFaults.ts'
import { changedResult, type Json } from '../mutants/wrappedListeners.ts'
import type { Variant } from './variant.ts'

/** Other choices where the specification is silent and `conformance/spec/decisions.md` decides. */

const unmarked = () => undefined

function result(method: string, change: (result: Json) => Json): NonNullable<Variant['parts']> {
  const parts = changedResult(method, change)
  return () => parts(unmarked)
}

/** The members of an operator's error that the specification names. */
const plainErrors = (outcome: Json): Json =>
  Array.isArray(outcome?.operator_errors)
    ? {
        ...outcome,
        operator_errors: outcome.operator_errors.map(({ retryable, message }: Json) => ({
          reason: message,
          retryable,
        })),
      }
    : outcome

let notifications = 0

export const decisionVariants: readonly Variant[] = [
  {
    id: 'key.with-prefix',
    choice: 'writes public keys with 0x (decision K3)',
    parts: result('getSecretsPublicKey', (key) => ({ ...key, public_key: `0x${key.public_key}` })),
  },
  {
    id: 'key.privacy-uppercase',
    choice: 'writes the privacy key in upper case (decision K3)',
    parts: result('getPrivacyPublicKey', (key) => ({
      ...key,
      public_key: key.public_key.toUpperCase(),
    })),
  },
  {
    id: 'task.plain-operator-errors',
    choice: 'shows of an operator’s error whether it can be retried, and a reason',
    parts: result('createTask', plainErrors),
  },
  {
    id: 'task.sent-in-milliseconds',
    choice: 'writes the timestamp of sendTask in milliseconds',
    parts: result('sendTask', (sent) => ({ ...sent, timestamp: sent.timestamp * 1_000 })),
  },
  {
    id: 'task.other-message',
    choice: 'words the message of sendTask differently',
    parts: result('sendTask', (sent) => ({ ...sent, message: 'accepted ✓' })),
  },
  {
    id: 'webhook.other-messages',
    choice: 'words the messages of the two webhook methods differently (decision W9)',
    parts: result('registerWebhook', (registered) => ({ ...registered, message: 'ok' })),
  },
  {
    id: 'webhook.slower-growth',
    choice: 'multiplies the wait before a retry by 1.6 each time',
    parts: () =>
      changedDelay((attempts) => Math.min(Math.round(100 * 1.6 ** (attempts - 1)), 10_000))(
        unmarked,
      ),
  },
  {
    id: 'webhook.faster-growth',
    choice: 'multiplies the wait before a retry by 3 each time',
    parts: () => changedDelay((attempts) => Math.min(100 * 3 ** (attempts - 1), 10_000))(unmarked),
  },
  {
    id: 'id.words',
    choice: 'identifies notifications by other names than UUIDs',
    parts: () => ({
      uuid: () => {
        notifications += 1
        return `ntf_${process.pid.toString(36)}_${notifications.toString(36)}`
      },
    }),
  },
]
