import { Type } from '@sinclair/typebox'
import { Untestable } from '../core/conformanceError.ts'
import type { Limits } from '../core/target.ts'

/** How much a target is asked of: what its owner allows. */
export const LimitsSchema = Type.Object(
  {
    readOnly: Type.Optional(Type.Boolean({ description: 'nothing is written, on no surface' })),
    maxRps: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description: 'requests a second' }),
    ),
    budget: Type.Optional(Type.Integer({ minimum: 1, description: 'requests of the whole run' })),
  },
  { additionalProperties: false },
)

/**
 * What all threads of a run share of its limits: requests so far, those refused, and when the next
 * one may go, microseconds of the wall clock.
 */
export type LimitState = SharedArrayBuffer

export const createLimitState = (): LimitState => new SharedArrayBuffer(24)

export type Limiter = {
  /** Takes the turn of one request: waits for it. Throws `Untestable` where none is left. */
  readonly turn: (signal?: AbortSignal | null) => Promise<void>
  /** Why nothing may be asked any more; undefined while something may. */
  readonly spent: () => string | undefined
  /** Requests that were let through, in every thread. */
  readonly sent: () => number
  /** The same `fetch`, with a turn before whatever goes to the target and no writing in a run that only reads. */
  readonly limit: (inner: typeof fetch) => typeof fetch
}

export type LimiterOptions = {
  readonly limits: Limits | undefined
  readonly state: LimitState
  /** Addresses of the target; what goes elsewhere is not counted. */
  readonly surfaces: readonly string[]
  /** Listeners that change something by whatever is not a GET. */
  readonly controls?: readonly string[]
  readonly now?: () => number
  readonly wait?: (ms: number, signal?: AbortSignal | null) => Promise<void>
}

/** Methods that leave something behind, without the brand's prefix (sections 4.2 to 4.10). */
export const writingMethods = [
  'createTask',
  'sendTask',
  'storeEncryptedSecrets',
  'uploadIdentityEncrypted',
  'uploadConfidentialData',
  'unregisterWebhook',
  'registerWebhook',
] as const

/** Why a run that only reads cannot test something. */
export const readOnlyReason = (what: string): string => `the run only reads, and this ${what}`

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

/** The writing method that a body asks for, in whatever form: a text that names one may ask for it. */
export const writingMethodIn = (body: unknown): string | undefined => {
  if (body === undefined || body === null) return undefined
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return 'what cannot be read here'
  const text = unescaped(typeof body === 'string' ? body : Buffer.from(body).toString())
  return writingMethods.find((name) => text.toLowerCase().includes(name.toLowerCase()))
}

const isBelow = (url: string, places: readonly string[]) =>
  places.some((place) => url === place || url.startsWith(`${place.replace(/\/$/, '')}/`))

/** Holds a run to its limits, in however many threads it is under way. */
export const createLimiter = ({
  limits = {},
  state,
  surfaces,
  controls = [],
  now = Date.now,
  wait = pause,
}: LimiterOptions): Limiter => {
  const { readOnly = false, maxRps, budget } = limits
  const counts = new Int32Array(state, 0, 2)
  const next = new BigInt64Array(state, 8, 1)

  const spent = () =>
    Atomics.load(counts, 1) > 0 ? `the budget of ${budget} requests is spent` : undefined

  /** Milliseconds until the turn that is taken with this call: turns are evenly spread. */
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
      throw new Untestable(spent()!)
    }
    if (budget === undefined) Atomics.add(counts, 0, 1)
    const ms = maxRps === undefined ? 0 : takeTurn(maxRps)
    if (ms > 0) await wait(ms, signal)
  }

  const refuseWriting = (url: string, init: RequestInit | undefined) => {
    const method = (init?.method ?? 'GET').toUpperCase()
    if (isBelow(url, controls) && method !== 'GET')
      throw new Untestable(readOnlyReason('changes the laboratory'))
    const writing = isBelow(url, surfaces) ? writingMethodIn(init?.body) : undefined
    if (writing !== undefined) throw new Untestable(readOnlyReason(`sends ${writing}`))
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
