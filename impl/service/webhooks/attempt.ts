import { createHmac } from 'node:crypto'
import type { Clock } from 'polgate-protocol/clock.ts'
import type { TaskFailureNotification } from 'polgate-protocol/notification.ts'
import type { AttemptEnd, ClaimedNotification } from '../store/notifications.ts'
import type { SecretSealer } from './sealedSecret.ts'
import { failureText, type Send } from './sender.ts'
import { parseTarget, type TargetOptions } from './target.ts'
import { delayAfter, judge, type Verdict } from './verdict.ts'
import { WebhookError } from './webhookError.ts'

/** Value of the signature header: `sha256=` and the hex HMAC-SHA256 of the raw bytes (section 5.5). */
const signatureOf = (secret: string, body: Uint8Array): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

export type AttemptDeps = TargetOptions & {
  readonly send: Send
  readonly sealer: SecretSealer
  /** Name of the signature header (section 5.5, decision E13). */
  readonly signatureHeader: string
  readonly userAgent: string
  readonly clock: Clock
}

export type AttemptResult = {
  readonly end: AttemptEnd
  /** Whether there was a response; a silent receiver gets fewer slots. */
  readonly answered: boolean
}

/**
 * Makes one delivery attempt and returns its outcome. Never rejects because of the receiver; the
 * signal aborts it at the timeout of the webhook.
 */
export async function attemptDelivery(
  deps: AttemptDeps,
  claimed: ClaimedNotification,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { id, attempts } = claimed
  if (!isWanted(claimed))
    return { end: { id, attempts, outcome: 'unwanted', error: null }, answered: true }
  const delivery = prepare(deps, claimed)
  if (delivery instanceof WebhookError)
    return { end: { id, attempts, outcome: 'exhausted', error: delivery.message }, answered: true }
  const made = attempts + 1
  let verdict: Verdict
  let answered = true
  try {
    verdict = judge(await deps.send({ ...delivery, attempt: made, signal }), deps.clock())
  } catch (error) {
    answered = false
    const text = signal.aborted
      ? `no answer within ${claimed.timeoutSeconds} s`
      : failureText(error)
    verdict = { kind: 'failed', error: text, waitMs: 0 }
  }
  return { end: endOf(verdict, claimed, made, deps.clock()), answered }
}

/** The filter may have changed since the notification was stored. */
function isWanted({ failureTypes, body }: ClaimedNotification): boolean {
  if (failureTypes === null) return true
  // Parsed here: the database's JSON operators fail on an escaped U+0000.
  return failureTypes.includes((JSON.parse(body) as TaskFailureNotification).failure_type)
}

/** A webhook with a secret is never sent unsigned: if decryption fails, the delivery ends. */
function prepare(deps: AttemptDeps, claimed: ClaimedNotification) {
  try {
    const body = Buffer.from(claimed.body, 'utf8')
    const { sealedSecret, apiKeyId } = claimed
    const signature =
      sealedSecret === null
        ? {}
        : { [deps.signatureHeader]: signatureOf(deps.sealer.open(sealedSecret, apiKeyId), body) }
    return {
      target: parseTarget(claimed.url, deps),
      body,
      headers: {
        'Content-Type': 'application/json',
        'X-Idempotency-Key': claimed.id,
        'User-Agent': deps.userAgent,
        ...signature,
      },
    }
  } catch (error) {
    if (error instanceof WebhookError) return error
    throw error
  }
}

function endOf(
  verdict: Verdict,
  { id, maxRetries }: ClaimedNotification,
  attempts: number,
  now: number,
): AttemptEnd {
  if (verdict.kind === 'delivered') return { id, attempts, outcome: 'delivered', error: null }
  const { error } = verdict
  if (verdict.kind === 'refused') return { id, attempts, outcome: 'refused', error }
  // The first attempt is not a retry (decision W6).
  if (attempts > maxRetries) return { id, attempts, outcome: 'exhausted', error }
  return { id, attempts, error, retryAt: new Date(now + delayAfter(attempts, verdict.waitMs)) }
}
