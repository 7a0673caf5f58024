import { derivedSeed } from '../../core/seed.ts'

/**
 * What can be wrong with the way between two parts:
 *
 * - `late`: the answer comes after `ms`, and up to `jitterMs` more
 * - `dropped`: the connection ends before any answer
 * - `reset`: it is reset in the middle of the answer
 * - `status`: that HTTP status, and the request goes nowhere
 * - `garbage`: 200, and the beginning of the answer alone: no JSON
 * - `drip`: the answer comes a byte at a time, `everyMs` apart
 * - `black-hole`: nothing, until the caller gives up
 * - `twice`: the request arrives twice, the later answer comes back
 * - `doubled`: the answer comes twice, in one body
 * - `wrong-chain`: a node of another chain answers, by its id
 * - `stale-block`: the node stands at the block at which the trouble began
 */
export type Trouble =
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
  readonly trouble: Trouble
  /** Decides which requests are in trouble, and how late they are. */
  readonly seed: string
  /** Of the requests, from 0 to 1; 1 by default. */
  readonly share?: number | undefined
  /** Only requests whose path, or whose JSON-RPC method, is one of these. */
  readonly only?: readonly string[] | undefined
}

/** How many requests were in which trouble, and how many passed, since the link was made. */
export type ChaosCounts = Readonly<Record<string, number>>

const kinds: readonly Trouble['kind'][] = [
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

const isTrouble = (value: unknown): value is Trouble => {
  if (!isRecord(value) || !kinds.includes(value.kind as Trouble['kind'])) return false
  if (value.kind === 'late')
    return (
      isCount(value.ms, 60_000) && (value.jitterMs === undefined || isCount(value.jitterMs, 60_000))
    )
  if (value.kind === 'status') return isCount(value.status, 599) && value.status >= 200
  return value.kind !== 'drip' || isCount(value.everyMs, 10_000)
}

/** Whether it may be set; every number is bounded. */
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

/** A fraction from 0 to 1, the same for the same seed, use and number. */
export const chance = (seed: string, use: string, nth: number): number =>
  (derivedSeed(seed, use, `${nth}`) >>> 0) / 2 ** 32

/** Whether the nth request since the chaos was set is in trouble. */
export const strikes = ({ seed, share = 1, only }: Chaos, nth: number, names: readonly string[]) =>
  (only === undefined || names.some((name) => only.includes(name))) &&
  (share >= 1 || chance(seed, 'strikes', nth) < share)
