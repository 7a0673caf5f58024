import { sectionClauses } from './clause.ts'

/** Section 6.2: failure notifications and their delivery. */
export const section6_2 = sectionClauses('6.2', {
  '01': 'Failures of tasks created with a key are sent as TaskFailureNotification (section 2.8).',
  '02': {
    text: 'Notifications are sent over the WebSocket to subscribers of the task, with the full payload.',
    profile: 'updates',
  },
  '03': 'Notifications are sent as an HTTP POST to the registered URL.',
  '04': 'The POST has X-Service-Signature only if a secret is set.',
  '05': 'The POST has X-Idempotency-Key.',
  '06': 'The POST has Content-Type application/json.',
  '07': 'The first retry comes after 100 ms.',
  '08': 'Retries back off exponentially.',
  '09': 'The backoff is capped at 10 seconds.',
  '10': 'There are at most max_retries attempts, with or without the first one counted.',
  '11': 'A response with a 4xx status other than 429 is not retried.',
  '12': '429 is retried.',
  '13': 'A 5xx status, a broken connection and a timeout are retried.',
  '14': 'A response with a 2xx status ends the delivery.',
  '15': 'A task that succeeds sends no notification.',
  '16': { text: 'A retry has the same bytes as the first attempt.', level: 'should' },
  '17': {
    text: 'Both channels send the same notification: same id, same content.',
    level: 'should',
  },
  '18': {
    profile: 'updates',
    text: 'The envelope of a failure message on the WebSocket.',
    open: true,
  },
  '19': { text: 'Whether max_retries counts the first attempt.', open: true },
  '20': {
    text: 'Whether a notification survives a restart of the gateway.',
    open: true,
    noCheck: 'the gateway would have to be killed in between; tests of the reference do it',
  },
})
