import { sectionClauses } from './clause.ts'

/** Section 4.9: registerWebhook and unregisterWebhook. */
export const section4_9 = sectionClauses('4.9', {
  '01': 'url is required and a string.',
  '02': 'url is an HTTPS address; another scheme is refused.',
  '03': 'secret is optional and a string.',
  '04': 'timeout_seconds is optional, a number, and limits each request.',
  '05': 'The default of timeout_seconds is 10.',
  '06': 'max_retries is optional, a number, and limits the attempts.',
  '07': 'The default of max_retries is 3.',
  '08': 'failure_types is optional, an array of strings; failures of other types are not sent.',
  '09': 'The default of failure_types is all.',
  '10': 'registerWebhook returns success and message.',
  '11': 'unregisterWebhook takes no params and returns success and message.',
  '12': 'The webhook covers tasks created with its key, by createTask and by sendTask.',
  '13': 'The webhook does not cover tasks of another key.',
  '14': 'After unregisterWebhook nothing more is sent.',
  '15': { text: 'The effect of a second registration with the same key.', open: true },
  '16': {
    text: 'What a gateway does with a URL of a private address, or with a port of another protocol.',
    open: true,
  },
  '17': { text: 'The permission that the two methods need (section 5.1).', open: true },
  '18': { text: 'The texts of message.', open: true },
  '19': {
    text: 'What a gateway does with unknown failure types, and with invalid numbers.',
    open: true,
  },
  '20': { text: 'The response of unregisterWebhook when no webhook is registered.', open: true },
  '21': { text: 'Whether redirects of the receiver are followed.', open: true },
})
