import { brandOf, type ClientBrand } from '../client/brand.ts'
import { InvalidOptionsError } from '../errors/accessErrors.ts'
import { WebhookInvalidError } from '../errors/webhookError.ts'
import type { TaskFailureNotification } from '../generated/rpcTypes.ts'
import { bytesOf } from '../sealing/bytes.ts'
import { headerValues, type WebhookHeaders } from './headerValues.ts'

export type VerifyWebhookOptions = {
  /** As for the client: the header with the signature follows it. */
  readonly brand?: string | Partial<ClientBrand> | undefined
  /** Default 1 MiB. */
  readonly maxBytes?: number | undefined
}

function rawBytes(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  if (ArrayBuffer.isView(body))
    return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength))
  throw new WebhookInvalidError(
    'body_not_raw',
    'The body is not the raw body of the request.',
    'Pass the bytes as they arrived, such as request.arrayBuffer() or express.raw(): a parsed body that is serialized again is not what was signed.',
  )
}

function signatureOf(headers: WebhookHeaders, name: string): Uint8Array<ArrayBuffer> {
  const [value, ...more] = headerValues(headers, name)
  if (value === undefined)
    throw new WebhookInvalidError(
      'signature_missing',
      `The request has no header ${name}.`,
      'The gateway signs where registerWebhook was called with a secret; another brand has another header.',
    )
  // `Headers` joins repeated ones with a comma, which no signature contains.
  if (more.length > 0 || value.includes(','))
    throw new WebhookInvalidError('signature_repeated', `The header ${name} is repeated.`)
  const digits = /^sha256=([0-9a-fA-F]{64})$/.exec(value)?.[1]
  if (digits === undefined)
    throw new WebhookInvalidError(
      'signature_malformed',
      `The header ${name} is not sha256= and 64 hex digits.`,
    )
  return bytesOf(digits)
}

/** Compared in constant time by Web Crypto. */
async function isSigned(
  secret: string,
  signature: Uint8Array<ArrayBuffer>,
  body: Uint8Array<ArrayBuffer>,
) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const bytes = new TextEncoder().encode(secret)
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify'])
  return await crypto.subtle.verify('HMAC', key, signature, body)
}

const isText = (value: unknown): value is string => typeof value === 'string'

function notificationOf(bytes: Uint8Array): TaskFailureNotification {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new WebhookInvalidError('payload_malformed', 'The payload is not JSON.')
  }
  const {
    notification_id,
    task_id,
    timestamp,
    failure_type,
    error_message,
    context,
    is_recoverable,
  } = (value ?? {}) as Partial<TaskFailureNotification>
  const isOne =
    [notification_id, task_id, timestamp, failure_type, error_message].every(isText) &&
    typeof context === 'object' &&
    typeof is_recoverable === 'boolean'
  if (!isOne)
    throw new WebhookInvalidError('payload_malformed', 'The payload is not a failure notification.')
  return value as TaskFailureNotification
}

/**
 * The notification of a webhook, if the gateway signed it with the secret (section 5.5). Works in
 * Node and in browsers. Answer errors with a 4xx status, which is not retried.
 *
 * @param rawBody the bytes as they arrived, or text of them; not a parsed body
 * @param headers of the request, in any form
 * @param secret the one that was registered
 * @throws WebhookInvalidError with the fault; InvalidOptionsError for an empty secret
 */
export async function verifyWebhook(
  rawBody: Uint8Array | ArrayBuffer | string,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyWebhookOptions = {},
): Promise<TaskFailureNotification> {
  const { signatureHeader } = brandOf(options.brand)
  const { maxBytes = 1024 * 1024 } = options
  if (typeof secret !== 'string' || secret === '')
    throw new InvalidOptionsError('The webhook secret is empty.', 'Pass that of registerWebhook.')
  const body = rawBytes(rawBody)
  if (body.byteLength > maxBytes)
    throw new WebhookInvalidError('body_too_large', `The body is larger than ${maxBytes} bytes.`)
  const signature = signatureOf(headers, signatureHeader)
  if (!(await isSigned(secret, signature, body)))
    throw new WebhookInvalidError(
      'signature_wrong',
      'The signature does not match the body.',
      'The secret differs, or the body is not as it arrived.',
    )
  const notification = notificationOf(body)
  const keys = headerValues(headers, 'x-idempotency-key')
  if (keys.length > 0 && (keys.length > 1 || keys[0] !== notification.notification_id))
    throw new WebhookInvalidError(
      'idempotency_key_differs',
      'X-Idempotency-Key is not the id of the notification.',
    )
  return notification
}
