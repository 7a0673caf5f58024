import type { Answer } from './sender.ts'

/** What an answer means for the notification (section 6.2). */
export type Verdict =
  | { readonly kind: 'delivered' }
  /** Not to be tried again. */
  | { readonly kind: 'refused'; readonly error: string }
  /** To be tried again, and not sooner than the receiver asks for. */
  | { readonly kind: 'failed'; readonly error: string; readonly waitMs: number }

/** First retry, and longest wait (section 8), milliseconds. */
const firstMs = 100
const capMs = 10_000

/**
 * 2xx is success; 4xx but 429 ends it; everything else, a redirect too, is a failed attempt.
 *
 * @param now milliseconds, for a `Retry-After` that is a date
 */
export function judge({ status, retryAfter }: Answer, now: number): Verdict {
  if (status >= 200 && status < 300) return { kind: 'delivered' }
  const error = `answered ${status}`
  if (status === 429) return { kind: 'failed', error, waitMs: askedFor(retryAfter, now) }
  if (status >= 400 && status < 500) return { kind: 'refused', error }
  return { kind: 'failed', error, waitMs: 0 }
}

/**
 * How long to wait after so many attempts, milliseconds: 100, doubling, 10,000 at most (section 6.2).
 * A receiver may ask for more, within the cap.
 */
export const delayAfter = (attempts: number, askedMs = 0): number =>
  Math.min(capMs, Math.max(askedMs, firstMs * 2 ** Math.min(attempts - 1, 20)))

/** `Retry-After` as milliseconds; 0 when it is absent or says nothing. */
function askedFor(header: string | undefined, now: number): number {
  if (header === undefined) return 0
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? 0 : Math.max(0, at - now)
}
