import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../core/expect.ts'
import type { Expectation } from '../core/expectation.ts'
import {
  differs,
  type Expectations,
  equals,
  equalsFact,
  fact,
  fromFact,
  never,
  required,
  satisfies,
} from './expectation.ts'

/** Kinds of updates (decision W1). */
const events = ['status_update', 'operator_response', 'success', 'failure']

const errorWith = (code: number): Expectation =>
  satisfies(`an error ${code}`, (answer) => {
    const error = isObject(answer) ? answer.error : undefined
    return isObject(error) && error.code === code
  })

export const updates: Expectations = {
  'ws.open.no-key': { handshake: equals(401) },
  'ws.open.unknown-key': { handshake: equals(401) },
  'ws.open.basic': { handshake: equals(401) },
  'ws.open.expired-key': { handshake: equals(401) },
  'ws.open.write-key': { handshake: equals(403) },
  'ws.open.none-key': { handshake: equals(403) },
  'ws.open.query': { handshake: equals('open') },
  'ws.open.query-unknown': { handshake: equals(401) },
  'ws.open.query-empty': { handshake: equals(401) },
  'ws.address.plain-get': {
    'get-status': equals(404),
    'post-status': equals(404),
  },
  'ws.address.elsewhere': {
    handshake: equals(404),
  },
  'ws.key-deleted': {
    before: equals('subscribed'),
    after: differs('open', 'closed'),
  },
  'ws.own-tasks': {
    'foreign-task': equals('error'),
    'unknown-task': fact('same', fromFact('foreign')),
    messages: equals(2),
  },
  'ws.update.result': {
    'late-subscriber': required,
    'late-updates': equals(1),
    result: equalsFact('created'),
  },
  'ws.update.created-live': {
    'task-id': required,
    'first-update': satisfies('one of a task in progress', (_, { isEnd }) => isEnd === false),
    'last-result': equalsFact('answered'),
  },
  'ws.message.no-json': { answer: errorWith(-32700) },
  'ws.message.empty': { answer: errorWith(-32700) },
  'ws.message.array': { answer: errorWith(-32600) },
  'ws.message.null': { answer: errorWith(-32600) },
  'ws.message.no-type': { answer: errorWith(-32600) },
  'ws.message.other-type': { answer: errorWith(-32600) },
  'ws.message.object-id': { answer: errorWith(-32600) },
  'ws.message.params': { answer: errorWith(-32602) },
  'ws.message.deep': { answer: errorWith(-32700) },
  'ws.limit.frame': {
    answer: equals('error'),
    'close-code': equals(1009),
  },
  'ws.message.binary': {
    outcome: satisfies(
      'closed with 1003, or answered',
      (_, { closing, answer }) => closing === 1003 || answer !== undefined,
    ),
  },
  'ws.message.any-frame': {
    fault: never('an answer'),
  },
  'ws.update.late': {
    'late-subscriber': required,
    event: equalsFact('first'),
    data: equalsFact('first'),
    'operator-responses': equalsFact('first'),
  },
  'ws.subscribe.answer': {
    answer: satisfies(
      ({ id, subscription }) => ({ type: 'subscribed', id, subscription }),
      (answer, { id, subscription }) =>
        isDeepStrictEqual(answer, { type: 'subscribed', id, subscription }),
    ),
    'subscription-type': equals('string'),
    'update-subscription': equalsFact('subscription'),
    'first-message': equalsFact('answer'),
  },
  'ws.subscribe.topic.*': {
    twin: satisfies('no error', (answer: JsonObject) => answer.type !== 'error'),
    answer: equals({ type: 'error', code: -32602, message: 'string' }),
  },
  'ws.subscribe.topic-letters': { answered: required },
  'ws.unsubscribe': {
    answer: satisfies(
      ({ subscription }) => ({ type: 'unsubscribed', subscription }),
      (answer, { subscription }) =>
        isDeepStrictEqual(answer, { type: 'unsubscribed', subscription }),
    ),
    'other-updates': satisfies('some', (count: number) => count > 0),
    'later-messages': equals([]),
  },
  'ws.unsubscribe.unknown': {
    known: equals('unsubscribed'),
    unknown: equals('error'),
  },
  'ws.limit.subscriptions': {
    answers: equals([64, 'error']),
  },
  'ws.update.failure-event': {
    events: satisfies([...events], (seen: readonly unknown[]) =>
      seen.every((event) => events.includes(String(event))),
    ),
    'last-event': equals('failure'),
    'early-failure': equals(false),
  },
  'ws.update.order': {
    states: fact('sorted', 'ascending'),
    ends: equals(1),
  },
  'ws.update.progress': {
    progress: fact('forward', 'ascending'),
  },
  'ws.update.operator-responses': {
    'unknown-operators': equals([]),
    responses: satisfies('at least one', (count: number) => count > 0),
  },
  'webhook.backoff.cap': {
    waits: satisfies('growing to 10 s', (_, { early, grown }) => {
      const waits = grown as readonly number[]
      const sum = waits.reduce((a, b) => a + b, 0)
      return waits.at(-1)! >= 5_000 && sum >= Number(early) * 12_700
    }),
  },
  'webhook.backoff.soon': {
    'shortest-wait': satisfies('about 100 ms', (_, { shortest }) => Number(shortest) <= 500),
  },
  'webhook.backoff.first': {
    wait: satisfies(
      ({ retry, lateMs }) => `at most ${100 * 2 ** Number(retry) + Number(lateMs)} ms`,
      (_, { gap, retry, lateMs }) => Number(gap) <= 100 * 2 ** Number(retry) + Number(lateMs),
    ),
  },
  'webhook.replaced': {
    deliveries: equals([0, 1]),
    signature: equals(undefined),
  },
  'webhook.redirect': {
    deliveries: equals(0),
  },
  'webhook.attempts.reading': {
    attempts: equals(3, '3: only retries are counted'),
  },
  'webhook.type.quorum': {
    context: equalsFact('computed'),
  },
  'webhook.type.channel': {
    'failure-type': equals('channel_error'),
  },
  'ws.failure.envelope': {
    type: equals('notification'),
    subscription: equalsFact('ofUpdate'),
    result: satisfies('the payload', (result) => isObject(result) && 'notification_id' in result),
    event: equals('failure'),
  },
}
