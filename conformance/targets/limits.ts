import { Type } from '@sinclair/typebox'
import { Untestable } from '../core/conformanceError.ts'
import type { Limits } from '../core/target.ts'

/** Limits on the requests to a target, set by its owner. */
export const LimitsSchema = Type.Object(
  {
    readOnly: Type.Optional(Type.Boolean({ description: 'nothing is written, on any surface' })),
    maxRps: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description: 'requests per second' }),
    ),
    budget: Type.Optional(Type.Integer({ minimum: 1, description: 'requests of the whole run' })),
  },
  { additionalProperties: false },
)

/**
 * Shared by all threads of a run: requests so far, rejected requests, and the time of the next one,
 * in microseconds of the wall clock.
 */
export type LimitState = SharedArrayBuffer

export const createLimitState = (): LimitState => new SharedArrayBuffer(24)

export type Limiter = {
  /** Waits for the turn of one request. Throws `Untestable` if the budget is exhausted. */
  readonly turn: (signal?: AbortSignal | null) => Promise<void>
  /** Why no more requests are allowed; undefined while they are. */
  readonly spent: () => string | undefined
  /** Requests allowed so far, in all threads. */
  readonly sent: () => number
  /**
   * Wraps `fetch`: waits for a turn before each request to the target, and blocks writes in a
   * read-only run.
   */
  readonly limit: (inner: typeof fetch) => typeof fetch
}

export type LimiterOptions = {
  readonly limits: Limits | undefined
  readonly state: LimitState
  /** Addresses of the target; requests to others are not counted. */
  readonly surfaces: readonly string[]
  /** Listeners on which every request except GET changes something. */
  readonly controls?: readonly string[]
  readonly now?: () => number
  readonly wait?: (ms: number, signal?: AbortSignal | null) => Promise<void>
}

/** Methods that store something, without the brand's prefix (sections 4.2 to 4.10). */
export const writingMethods = [
  'createTask',
  'sendTask',
  'storeEncryptedSecrets',
  'uploadIdentityEncrypted',
  'uploadConfidentialData',
  'unregisterWebhook',
  'registerWebhook',
] as const

/** Why a read-only run cannot test something. */
export const readOnlyReason = (what: string): string => `the run is read-only, and this ${what}`

/** The same, thrown by a check or by what it uses. */
export const isReadOnly = (what: string): Untestable =>
  new Untestable(readOnlyReason(what), { cut: 'read-only' })

const pause = (ms: number, signal?: AbortSignal | null) =>
  new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
  })

const unescaped = (text: string) =>
  text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number(`0x${code}`)))

/** The writing method that a body may call: any text that contains its name counts. */
export function writingMethodIn(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return 'an unreadable body'
  const text = unescaped(typeof body === 'string' ? body : Buffer.from(body).toString())
  return writingMethods.find((name) => text.toLowerCase().includes(name.toLowerCase()))
}

const isBelow = (url: string, places: readonly string[]) =>
  places.some((place) => url === place || url.startsWith(`${place.replace(/\/$/, '')}/`))

/** Enforces the limits of a run across all its threads. */
export function createLimiter({
  limits = {},
  state,
  surfaces,
  controls = [],
  now = Date.now,
  wait = pause,
}: LimiterOptions): Limiter {
  const { readOnly = false, maxRps, budget } = limits
  const counts = new Int32Array(state, 0, 2)
  const next = new BigInt64Array(state, 8, 1)

  const spent = () =>
    Atomics.load(counts, 1) > 0 ? `the budget of ${budget} requests is spent` : undefined

  /** Milliseconds until the reserved turn: turns are evenly spaced. */
  const takeTurn = (perSecond: number): number => {
    const interval = BigInt(Math.ceil(1_000_000 / perSecond))
    for (;;) {
      const present = BigInt(Math.round(now() * 1000))
      const free = Atomics.load(next, 0)
      const at = free > present ? free : present
      if (Atomics.compareExchange(next, 0, free, at + interval) === free)
        return Number(at - present) / 1000
    }
  }

  const turn = async (signal?: AbortSignal | null) => {
    if (budget !== undefined && Atomics.add(counts, 0, 1) >= budget) {
      Atomics.sub(counts, 0, 1)
      Atomics.store(counts, 1, 1)
      throw new Untestable(spent()!, { cut: 'budget' })
    }
    if (budget === undefined) Atomics.add(counts, 0, 1)
    const ms = maxRps === undefined ? 0 : takeTurn(maxRps)
    if (ms > 0) await wait(ms, signal)
  }

  const refuseWriting = (url: string, init: RequestInit | undefined) => {
    const method = (init?.method ?? 'GET').toUpperCase()
    if (isBelow(url, controls) && method !== 'GET') throw isReadOnly('changes the test environment')
    const writing = isBelow(url, surfaces) ? writingMethodIn(init?.body) : undefined
    if (writing !== undefined) throw isReadOnly(`sends ${writing}`)
  }

  return {
    turn,
    spent,
    sent: () => Atomics.load(counts, 0),
    limit: (inner) => async (input, init) => {
      const url = input instanceof Request ? input.url : String(input)
      if (readOnly) refuseWriting(url, init)
      if (isBelow(url, surfaces) && !isBelow(url, controls)) await turn(init?.signal)
      return inner(input, init)
    },
  }
}
