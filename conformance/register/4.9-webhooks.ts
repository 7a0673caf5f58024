import { sectionClauses } from './clause.ts'

/** Section 4.9: registerWebhook and unregisterWebhook. */
export const section4_9 = sectionClauses('4.9', {
  '01': 'url is required and a string.',
  '02': 'url is an HTTPS address: another scheme is refused.',
  '03': 'secret is optional and a string.',
  '04': 'timeout_seconds is optional, a number, and bounds a request.',
  '05': 'The default of timeout_seconds is 10.',
  '06': 'max_retries is optional, a number, and bounds the attempts.',
  '07': 'The default of max_retries is 3.',
  '08': 'failure_types is optional, an array of strings: other failures are not sent.',
  '09': 'The default of failure_types is all.',
  '10': 'registerWebhook returns success and message.',
  '11': 'unregisterWebhook takes no params and returns success and message.',
  '12': 'The webhook covers tasks created with its key, by createTask and by sendTask.',
  '13': 'The webhook covers no task of another key.',
  '14': 'After unregisterWebhook nothing more is sent.',
  '15': { text: 'What a second registration with the same key does.', open: true },
  '16': {
    text: 'What a gateway does with a URL of a private address, or with a port of another protocol.',
    open: true,
  },
  '17': { text: 'The permission that the two methods need (section 5.1).', open: true },
  '18': { text: 'The texts of message.', open: true },
  '19': {
    text: 'What a gateway does with unknown failure types, and numbers that make no sense.',
    open: true,
  },
  '20': { text: 'What unregisterWebhook says when there is no webhook.', open: true },
  '21': { text: 'Whether a redirect of the receiver is followed.', open: true },
})
