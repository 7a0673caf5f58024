import type { DeliveryAttempt, NotificationSummary } from 'polgate-protocol/control/webhooks.ts'
import { describe, expect, it } from 'vitest'
import { joined } from './joined.ts'
import { timeline } from './timeline.ts'

const attempt = (seconds: number, rest: Partial<DeliveryAttempt>): DeliveryAttempt => ({
  at: new Date(seconds * 1_000).toISOString(),
  ...{ milliseconds: 5, status: 200, error: null, redelivery: false },
  ...rest,
})
const notification = (rest: Partial<NotificationSummary>) =>
  ({ made: [], nextAttemptAt: null, ...rest }) as unknown as NotificationSummary

describe('timeline', () => {
  it('has attempts and redeliveries with what they were answered, and the next one', () => {
    const made = [
      attempt(1, { status: 500 }),
      attempt(2, { status: null, error: 'no answer in time' }),
      attempt(3, { redelivery: true, status: 204 }),
      attempt(4, { status: 302 }),
    ]
    const parts = timeline(notification({ made, nextAttemptAt: new Date(5_000).toISOString() }))
    expect(parts.map(({ name, owner, tone }) => [name, owner, tone])).toEqual([
      ['Attempt 1', 'answered 500', 'bad'],
      ['Attempt 2', 'no answer in time', 'bad'],
      ['Redelivery', 'answered 204', 'good'],
      ['Attempt 3', 'answered 302', 'bad'],
      ['Next attempt', undefined, 'warn'],
    ])
    expect(parts[0]).toMatchObject({ start: 1_000, end: 1_005 })
    expect(parts[4]).toMatchObject({ start: 5_000 })
  })

  it('is empty without attempts', () => expect(timeline(notification({}))).toEqual([]))
})

describe('joined', () => {
  const entries = (...seqs: number[]) => seqs.map((seq) => ({ seq }))
  it('adds what is new once, in order, and keeps the latest 1,000', () => {
    const known = joined({ latest: 0, entries: [] }, { latest: 2, entries: entries(1, 2) })
    const more = joined(known, { latest: 3, entries: entries(2, 3) })
    expect(more).toEqual({ latest: 3, entries: entries(1, 2, 3) })
    const all = Array.from({ length: 1_200 }, (_, at) => at + 1)
    const full = joined(more, { latest: 1_200, entries: entries(...all) })
    expect([full.entries.length, full.entries[0]!.seq, full.entries.at(-1)!.seq]).toEqual([
      1_000, 201, 1_200,
    ])
  })
  it('keeps the list where nothing is new', () => {
    const known = { latest: 1, entries: entries(1) }
    expect(joined(known, { latest: 1, entries: [] }).entries).toBe(known.entries)
  })
})
