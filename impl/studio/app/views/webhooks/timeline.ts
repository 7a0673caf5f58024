import type { DeliveryAttempt, NotificationSummary } from 'polgate-protocol/control/webhooks.ts'
import type { Tone } from '../../ui/Badge.tsx'
import type { WaterfallPart } from '../../ui/Waterfall.tsx'

/** What an attempt was answered, as the schedule sees it (section 6.2). */
export function attemptTone({ status }: Pick<DeliveryAttempt, 'status'>): Tone {
  if (status === null) return 'bad'
  return status >= 200 && status < 300 ? 'good' : 'bad'
}

export const attemptText = ({ status, error }: DeliveryAttempt): string =>
  status === null ? (error ?? 'no answer') : `answered ${status}`

/** The attempts of a notification and the next one, on a time axis; ids are `0`, `1`, … and `next`. */
export function timeline({ made, nextAttemptAt }: NotificationSummary): WaterfallPart[] {
  let scheduled = 0
  const attempts = made.map((attempt, at): WaterfallPart => {
    const begin = Date.parse(attempt.at)
    if (!attempt.redelivery) scheduled += 1
    return {
      id: String(at),
      ...{ start: begin, end: begin + attempt.milliseconds, tone: attemptTone(attempt) },
      name: attempt.redelivery ? 'Redelivery' : `Attempt ${scheduled}`,
      owner: attemptText(attempt),
    }
  })
  if (nextAttemptAt === null) return attempts
  const start = Date.parse(nextAttemptAt)
  return [...attempts, { id: 'next', name: 'Next attempt', start, tone: 'warn' }]
}

const outcomes: Readonly<Record<NotificationSummary['outcome'], { text: string; tone: Tone }>> = {
  delivered: { text: 'delivered', tone: 'good' },
  refused: { text: 'refused by the receiver', tone: 'bad' },
  exhausted: { text: 'given up', tone: 'bad' },
  unwanted: { text: 'no webhook wants it', tone: 'neutral' },
  pending: { text: 'pending', tone: 'warn' },
}

export const outcomeOf = ({ outcome }: Pick<NotificationSummary, 'outcome'>) => outcomes[outcome]
