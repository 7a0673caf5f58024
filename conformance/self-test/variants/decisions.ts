import { changedFrame, changedMessage } from '../mutants/frames.ts'
import { changedDelay } from '../mutants/webhookFaults.ts'
import { changedResult, type Json } from '../mutants/wrappedListeners.ts'
import { composedParts, type Variant } from './variant.ts'

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

const upperHex = (text: string) => Buffer.from(text).toString('hex').toUpperCase()
const fromHex = (text: string) => Buffer.from(text, 'hex').toString()

const withSubscription = (message: Json, form: (id: string) => string): Json =>
  typeof message?.subscription === 'string'
    ? { ...message, subscription: form(message.subscription) }
    : message

export const decisionVariants: readonly Variant[] = [
  {
    id: 'key.with-prefix',
    clauses: ['4.10-06'],
    choice: 'writes public keys with 0x (decision K3)',
    parts: result('getSecretsPublicKey', (key) => ({ ...key, public_key: `0x${key.public_key}` })),
  },
  {
    id: 'key.privacy-uppercase',
    clauses: ['4.10-06'],
    choice: 'writes the privacy key in upper case (decision K3)',
    parts: result('getPrivacyPublicKey', (key) => ({
      ...key,
      public_key: key.public_key.toUpperCase(),
    })),
  },
  {
    id: 'task.plain-operator-errors',
    clauses: ['2.5-22'],
    choice: 'shows of an operator’s error whether it can be retried, and a reason',
    parts: result('createTask', plainErrors),
  },
  {
    id: 'task.sent-in-milliseconds',
    clauses: ['4.3-15'],
    choice: 'writes the timestamp of sendTask in milliseconds',
    parts: result('sendTask', (sent) => ({ ...sent, timestamp: sent.timestamp * 1_000 })),
  },
  {
    id: 'task.other-message',
    clauses: ['4.3-12'],
    choice: 'words the message of sendTask differently',
    parts: result('sendTask', (sent) => ({ ...sent, message: 'accepted ✓' })),
  },
  {
    id: 'webhook.other-messages',
    clauses: ['4.9-04'],
    choice: 'words the messages of the two webhook methods differently (decision W9)',
    parts: result('registerWebhook', (registered) => ({ ...registered, message: 'ok' })),
  },
  {
    id: 'webhook.slower-growth',
    clauses: ['6.2-08'],
    choice: 'multiplies the wait before a retry by 1.6 each time',
    parts: () =>
      changedDelay((attempts) => Math.min(Math.round(100 * 1.6 ** (attempts - 1)), 10_000))(
        unmarked,
      ),
  },
  {
    id: 'webhook.faster-growth',
    clauses: ['6.2-08'],
    choice: 'multiplies the wait before a retry by 3 each time',
    parts: () => changedDelay((attempts) => Math.min(100 * 3 ** (attempts - 1), 10_000))(unmarked),
  },
  {
    id: 'ws.subscription-ids',
    clauses: ['6.1-03'],
    choice: 'writes the ids of subscriptions in upper case hex, without any separator',
    parts: () =>
      composedParts([
        changedFrame((frame) => withSubscription(frame, upperHex))(unmarked),
        changedMessage((message) => withSubscription(message, fromHex))(unmarked),
      ]),
  },
]
