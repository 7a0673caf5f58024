import type { Answer } from './sender.ts'

/** The meaning of a response for the notification (section 6.2). */
export type Verdict =
  | { readonly kind: 'delivered' }
  /** Not to be retried. */
  | { readonly kind: 'refused'; readonly error: string }
  /** To be retried, not sooner than the receiver requests. */
  | { readonly kind: 'failed'; readonly error: string; readonly waitMs: number }

/** First delay and maximum delay of retries (section 8), milliseconds. */
const firstMs = 100
const capMs = 10_000

/**
 * 2xx is success; 4xx except 429 ends the delivery; anything else, including a redirect, is a
 * failed attempt.
 *
 * @param now milliseconds, for a `Retry-After` date
 */
export function judge({ status, retryAfter }: Answer, now: number): Verdict {
  if (status >= 200 && status < 300) return { kind: 'delivered' }
  const error = `answered ${status}`
  if (status === 429) return { kind: 'failed', error, waitMs: askedFor(retryAfter, now) }
  if (status >= 400 && status < 500) return { kind: 'refused', error }
  return { kind: 'failed', error, waitMs: 0 }
}

/**
 * The delay after a number of attempts, milliseconds: 100, doubling, up to 10,000 (section 6.2). A
 * receiver may request more, up to the maximum.
 */
export const delayAfter = (attempts: number, askedMs = 0): number =>
  Math.min(capMs, Math.max(askedMs, firstMs * 2 ** Math.min(attempts - 1, 20)))

/** `Retry-After` in milliseconds; 0 if it is absent or invalid. */
function askedFor(header: string | undefined, now: number): number {
  if (header === undefined) return 0
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? 0 : Math.max(0, at - now)
}
