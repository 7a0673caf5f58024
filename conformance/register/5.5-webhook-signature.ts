import { sectionClauses } from './clause.ts'

/** Section 5.5: the signature of a webhook. */
export const section5_5 = sectionClauses('5.5', {
  '01': 'With a secret, X-Service-Signature is sha256= followed by the hex HMAC-SHA256 of the raw payload bytes, keyed by the secret.',
  '02': 'Without a secret there is no X-Service-Signature.',
  '03': 'X-Idempotency-Key has the notification id.',
  '04': {
    text: 'Receivers compare in constant time.',
    noCheck: 'an obligation of receivers, not of a gateway',
  },
})
