import { createHmac, timingSafeEqual } from 'node:crypto'
import type { CheckContext } from '../../core/context.ts'
import { expectEqual, expectMatch, expectThat, type JsonObject } from '../../core/expect.ts'
import type { Delivery } from '../servers/webhookReceiver.ts'
import { expectHex } from './hex.ts'
import * as shape from './shape.ts'
import { expectShape } from './shape.ts'

/** Section 6.3. */
export const failureTypes = [
  'channel_error',
  'timeout',
  'quorum_not_reached',
  'onchain_submission_failed',
  'policy_evaluation_failed',
  'signature_verification_failed',
  'internal_error',
] as const

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/

/** A TaskFailureNotification with every member of section 2.8, each of its type. */
export function expectNotification(value: unknown, taskId?: string): asserts value is JsonObject {
  expectShape(
    value,
    {
      notification_id: shape.string,
      task_id: shape.data,
      timestamp: shape.string,
      failure_type: shape.oneOf(...failureTypes),
      error_message: shape.string,
      context: shape.object,
      is_recoverable: shape.boolean,
      retry_after_seconds: shape.nullable((v) =>
        typeof v === 'number' && v >= 0 ? undefined : 'a number from 0',
      ),
    },
    'notification',
  )
  expectMatch(value.notification_id, uuid4, 'notification_id')
  expectMatch(value.timestamp, utc, 'timestamp')
  const at = Date.parse(value.timestamp as string)
  expectThat(Math.abs(Date.now() - at) < 300_000, 'timestamp', 'about now', value.timestamp)
  if (taskId !== undefined) expectHex(value.task_id, taskId, 'task_id')
}

/**
 * For a quorum failure: stakes as decimal strings, below the required stake, and a count of
 * operators.
 */
export function expectQuorumContext(context: unknown): void {
  const decimal: shape.Rule = (v) =>
    typeof v === 'string' && /^(0|[1-9]\d*)$/.test(v) ? undefined : 'a decimal string'
  expectShape(
    context,
    { signed_stake: decimal, required_stake: decimal, operator_count: shape.natural },
    'context',
  )
  const { signed_stake, required_stake } = context
  expectThat(
    BigInt(signed_stake as string) < BigInt(required_stake as string),
    'signed_stake',
    `less than ${required_stake}`,
    signed_stake,
  )
}

const header = (delivery: Delivery, name: string) => delivery.headers[name.toLowerCase()]

/** The header of section 5.5, recomputed over the received bytes. */
export function expectSigned(t: CheckContext, delivery: Delivery, secret: string): void {
  const name = t.target.brand.signatureHeader
  const digest = createHmac('sha256', Buffer.from(secret)).update(delivery.body).digest('hex')
  const expected = Buffer.from(`sha256=${digest}`)
  // The specification leaves the case of the hex digits open.
  const given = (header(delivery, name) ?? '').replace(/[0-9A-F]+$/i, (hex) => hex.toLowerCase())
  const observed = Buffer.from(given)
  expectThat(
    observed.length === expected.length && timingSafeEqual(observed, expected),
    name,
    expected.toString(),
    observed.toString() || undefined,
  )
}

export function expectUnsigned(t: CheckContext, delivery: Delivery): void {
  const name = t.target.brand.signatureHeader
  expectEqual(header(delivery, name), undefined, name)
}

export const idempotencyKeyOf = (delivery: Delivery) => header(delivery, 'X-Idempotency-Key')
