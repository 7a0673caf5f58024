import { derivedSeed } from '../../core/seed.ts'

/**
 * Faults of a connection between two components:
 *
 * - `late`: the response is delayed by `ms`, and up to `jitterMs` more
 * - `dropped`: the connection closes before any response
 * - `reset`: it is reset in the middle of the response
 * - `status`: that HTTP status; the request is not forwarded
 * - `garbage`: 200 with a truncated response: invalid JSON
 * - `drip`: the response arrives a byte at a time, `everyMs` apart
 * - `black-hole`: no response, until the caller times out
 * - `twice`: the request is forwarded twice, the second response is returned
 * - `doubled`: the response is repeated in one body
 * - `wrong-chain`: a node with another chain id answers
 * - `stale-block`: the node stays at the block at which the fault began
 */
export type ChaosFault =
  | { readonly kind: 'late'; readonly ms: number; readonly jitterMs?: number }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'drip'; readonly everyMs: number }
  | {
      readonly kind:
        | 'dropped'
        | 'reset'
        | 'garbage'
        | 'black-hole'
        | 'twice'
        | 'doubled'
        | 'wrong-chain'
        | 'stale-block'
    }

export type Chaos = {
  readonly trouble: ChaosFault
  /** Determines which requests are affected, and their delays. */
  readonly seed: string
  /** Share of affected requests, from 0 to 1; 1 by default. */
  readonly share?: number | undefined
  /** Only requests whose path or JSON-RPC method is one of these. */
  readonly only?: readonly string[] | undefined
}

/** Number of requests by fault, and of those that passed, since the link was created. */
export type ChaosCounts = Readonly<Record<string, number>>

const kinds: readonly ChaosFault['kind'][] = [
  'late',
  'status',
  'drip',
  'dropped',
  'reset',
  'garbage',
  'black-hole',
  'twice',
  'doubled',
  'wrong-chain',
  'stale-block',
]

const isCount = (value: unknown, max: number): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= max

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isTrouble(value: unknown): value is ChaosFault {
  if (!isRecord(value) || !kinds.includes(value.kind as ChaosFault['kind'])) return false
  if (value.kind === 'late')
    return (
      isCount(value.ms, 60_000) && (value.jitterMs === undefined || isCount(value.jitterMs, 60_000))
    )
  if (value.kind === 'status') return isCount(value.status, 599) && value.status >= 200
  return value.kind !== 'drip' || isCount(value.everyMs, 10_000)
}

/** Whether the value is valid; every number is bounded. */
export const isChaos = (value: unknown): value is Chaos =>
  isRecord(value) &&
  isTrouble(value.trouble) &&
  typeof value.seed === 'string' &&
  value.seed.length <= 200 &&
  (value.share === undefined || isCount(value.share, 1)) &&
  (value.only === undefined ||
    (Array.isArray(value.only) &&
      value.only.length <= 50 &&
      value.only.every((name) => typeof name === 'string')))

/** A fraction from 0 to 1, determined by seed, use and number. */
export const chance = (seed: string, use: string, nth: number): number =>
  (derivedSeed(seed, use, `${nth}`) >>> 0) / 2 ** 32

/** Whether the nth request since the fault was set is affected. */
export const strikes = ({ seed, share = 1, only }: Chaos, nth: number, names: readonly string[]) =>
  (only === undefined || names.some((name) => only.includes(name))) &&
  (share >= 1 || chance(seed, 'strikes', nth) < share)
