import { backoffMs } from '../transport/backoff.ts'

const reconnection = { firstMs: 100, mostMs: 5_000 }
/** A longer `Retry-After` is not followed: the iteration would seem to hang. */
const longestAskedMs = 60_000

/**
 * Delay before the next connection, milliseconds: as long as the server asks for, at most 60 s, and
 * at least the backoff.
 */
export const reconnectMs = (failures: number, askedMs = 0, random = Math.random()): number =>
  Math.max(backoffMs(failures, random, reconnection), Math.min(askedMs, longestAskedMs))
