export type BackoffOptions = { readonly firstMs: number; readonly mostMs: number }

/**
 * Delay before a retry, milliseconds: doubled with each one up to a maximum, of which at least half
 * is kept and the rest is random, so that clients do not return at the same moment.
 *
 * @param retry from 0
 * @param random from 0 to 1
 */
export function backoffMs(
  retry: number,
  random = Math.random(),
  { firstMs, mostMs }: BackoffOptions = { firstMs: 250, mostMs: 10_000 },
): number {
  const whole = Math.min(mostMs, firstMs * 2 ** Math.min(retry, 30))
  return whole / 2 + (whole / 2) * random
}
