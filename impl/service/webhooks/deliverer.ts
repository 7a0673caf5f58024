import type { Clock } from 'polgate-protocol/clock.ts'
import type { ClaimedNotification, NotificationQueries } from '../store/notifications.ts'
import type { AttemptResult } from './attempt.ts'
import { createDeliverySlots, type DeliverySlotLimits } from './deliverySlots.ts'
import { inBatches } from './inBatches.ts'
import { createTimer } from './timer.ts'

/** Delivery events for the operator of the service; never contains a secret, a path or a query. */
export type WebhookLog = {
  warn(fields: Record<string, unknown>, message: string): void
  info(fields: Record<string, unknown>, message: string): void
}

export type DelivererDeps = {
  readonly outbox: NotificationQueries
  readonly attempt: (claimed: ClaimedNotification, signal: AbortSignal) => Promise<AttemptResult>
  readonly limits: DeliverySlotLimits
  /** Whether this is the only process on this database: then all claims are released on start. */
  readonly alone: boolean
  /** Poll interval of the outbox in milliseconds, for notifications of other gateways. */
  readonly pollMs?: number | undefined
  readonly clock: Clock
  readonly log: WebhookLog
}

export type Deliverer = {
  /** Checks for due notifications now. */
  wake(): void
  /** Aborts deliveries in flight and releases them for the next start. Idempotent. */
  close(): Promise<void>
}

/** Interval of the search for notifications without a webhook. */
const orphansMs = 60_000
/** How long a claim outlasts the timeout of its attempt, to store the outcome. */
const marginMs = 5_000
/** How long close waits for responses in flight. */
const graceMs = 500

/**
 * Delivers the outbox to the receivers, at least once each (decision W7): a notification is
 * claimed, sent, and finished or rescheduled; an abandoned claim expires.
 */
export function createDeliverer(deps: DelivererDeps): Deliverer {
  const { outbox, clock, log, pollMs = 5_000 } = deps
  const lanes = createDeliverySlots(deps.limits)
  const record = inBatches(outbox.endAttempts)
  const underWay = new Map<AbortController, Promise<void>>()
  const sending = new Set<string>()
  const alarm = createTimer(clock, () => wake())
  let closed = false
  let started = false
  /** On the monotonic clock. */
  let orphansAt = Number.NEGATIVE_INFINITY
  let surveyAt = Number.NEGATIVE_INFINITY
  let poll: NodeJS.Timeout | undefined
  /** Whether due notifications remained for lack of slots. */
  let crowded = false
  let looking: Promise<void> | undefined
  let recheckMs = false

  async function look(): Promise<void> {
    // Only before the first claim of this process.
    if (!started && deps.alone) await outbox.releaseAll()
    started = true
    if (performance.now() >= surveyAt) await survey()
    const free = lanes.free()
    const freeSlots = lanes.freeSlots()
    const { perKey } = deps.limits
    const claimed =
      free > 0
        ? await outbox.claim({
            ...{ limit: free, perKey, ofKey: freeSlots, marginMs },
            excluding: [...sending],
          })
        : []
    if (closed) return outbox.release(claimed.map(({ id }) => id))
    crowded = claimed.length >= free || fillsARoom(claimed, freeSlots, perKey)
    for (const each of claimed) begin(each)
  }

  /** On start and periodically: notifications that this process did not schedule itself. */
  async function survey(): Promise<void> {
    surveyAt = performance.now() + pollMs
    clearTimeout(poll)
    poll = setTimeout(wake, pollMs).unref()
    if (performance.now() >= orphansAt) {
      orphansAt = performance.now() + orphansMs
      await outbox.settleOrphans()
    }
    const next = await outbox.nextDue()
    if (next !== undefined) alarm.at(next.getTime())
  }

  function wake(): void {
    recheckMs = true
    if (looking !== undefined || closed) return
    looking = (async () => {
      while (recheckMs && !closed) {
        recheckMs = false
        await look()
      }
    })()
      .catch((err) => log.warn({ err }, 'webhook outbox cannot be read'))
      .finally(() => {
        looking = undefined
        if (recheckMs) wake()
      })
  }

  function begin(claimed: ClaimedNotification): void {
    const controller = new AbortController()
    const limit = setTimeout(() => controller.abort(), claimed.timeoutSeconds * 1000)
    lanes.enter(claimed.apiKeyId)
    sending.add(claimed.id)
    let answered = true
    const work = (async () => {
      const result = await deps.attempt(claimed, controller.signal)
      answered = result.answered
      if (closed && !answered) return outbox.release([claimed.id])
      report(claimed, result)
      await record(result.end)
      if ('retryAt' in result.end) alarm.at(result.end.retryAt.getTime())
    })()
      // The claim expires, and the notification is sent again.
      .catch((err) =>
        log.warn({ err, notification: claimed.id }, 'webhook delivery could not be recorded'),
      )
      .finally(() => {
        clearTimeout(limit)
        lanes.leave(claimed.apiKeyId, answered)
        underWay.delete(controller)
        sending.delete(claimed.id)
        if (crowded) wake()
      })
    underWay.set(controller, work)
  }

  function report(claimed: ClaimedNotification, { end }: AttemptResult): void {
    const fields = { notification: claimed.id, apiKeyId: claimed.apiKeyId, attempts: end.attempts }
    if ('retryAt' in end) return
    if (end.error === null)
      log.info({ ...fields, outcome: end.outcome }, 'webhook delivery finished')
    else
      log.warn({ ...fields, outcome: end.outcome, error: end.error }, 'webhook delivery abandoned')
  }

  wake()
  return {
    wake,
    async close() {
      closed = true
      alarm.stop()
      clearTimeout(poll)
      await looking
      const answers = Promise.allSettled(underWay.values())
      let grace: NodeJS.Timeout | undefined
      const patience = new Promise((resolve) => {
        grace = setTimeout(resolve, graceMs)
      })
      await Promise.race([answers, patience])
      clearTimeout(grace)
      for (const controller of underWay.keys()) controller.abort()
      await answers
    },
  }
}

/** Whether a key got its maximum, and therefore may have more. */
function fillsARoom(
  claimed: readonly ClaimedNotification[],
  freeSlots: ReadonlyMap<string, number>,
  perKey: number,
): boolean {
  const counts = new Map<string, number>()
  for (const { apiKeyId } of claimed) counts.set(apiKeyId, (counts.get(apiKeyId) ?? 0) + 1)
  // Keys without a free slot may have more, too: the next finished delivery checks again.
  return (
    [...freeSlots.values()].some((room) => room <= 0) ||
    [...counts].some(([key, count]) => count >= (freeSlots.get(key) ?? perKey))
  )
}
