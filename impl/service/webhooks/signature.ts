import { createHmac } from 'node:crypto'

/** Value of the signature header: `sha256=` and the hex HMAC-SHA256 of the raw bytes (section 5.5). */
export const signatureOf = (secret: string, body: Uint8Array): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
