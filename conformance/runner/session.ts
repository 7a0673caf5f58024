import { rpcTransport } from 'polgate-chain/rpcTransport.ts'
import { Agent, fetch as fetchOver } from 'undici'
import type { PublicClient } from 'viem'
import { createPublicClient } from 'viem'
import { Untestable } from '../core/conformanceError.ts'
import type { ExpectationOf } from '../core/expectation.ts'
import type { Target } from '../core/target.ts'
import { createLimitState, type Limiter, type LimitState } from '../targets/limits.ts'
import { limiterOf, secretsOf } from '../targets/target.ts'

/** What all checks of a run share. */
export type Session = {
  readonly target: Target
  readonly seed: string
  /** Multiplies the number of runs of every property; 1 is the level of a certification. */
  readonly effort: number
  /** Why a need is not met; a need that is not listed here is met. */
  readonly missing: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
  /** How much may still be asked of the target; `fetch` is held to it already. */
  readonly limiter: Limiter
  readonly chain: () => PublicClient
  /** Milliseconds from the beginning of the run to a moment of `performance.now()`, now by default. */
  readonly since: (at?: number) => number
  /** A check that takes longer has failed. */
  readonly checkMs: number
  /** Names of secrets that stood in an answer. */
  readonly leaks: Set<string>
  /** Values that no answer may hold, each with the name that a report tells of it. */
  readonly guarded: Map<string, string>
  /** Adds to the two of them, here and wherever else this run is under way. */
  readonly tell: (news: SecretNews) => void
  /** What the reference implementation is held to; undefined for every other target. */
  readonly expectationOf: ExpectationOf | undefined
  /** Runs `make` once in a run, however many checks ask. */
  readonly once: <T>(name: string, make: () => Promise<T>) => Promise<T>
}

/** What one thread of a run learns of secrets, and all have to know. */
export type SecretNews = {
  /** Values from here on guarded, each with its name. */
  readonly guarded?: readonly (readonly [value: string, name: string])[]
  /** Names of secrets that an answer has held. */
  readonly leaked?: readonly string[]
}

export type SessionOptions = {
  readonly target: Target
  readonly seed: string
  readonly effort: number
  readonly missing: Readonly<Record<string, string>>
  readonly fetch?: typeof fetch
  /** When the run began, as `Date.now()` told it; now by default. */
  readonly begunAt?: number
  /** How long a check may take, milliseconds. */
  readonly checkMs?: number | undefined
  /** How long a request may take at most, milliseconds; each has its own limit below that. */
  readonly requestMs?: number | undefined
  /** Counts the requests of all threads of the run; of this session alone by default. */
  readonly limitState?: LimitState
  /** What the reference implementation decided; applies where the target is the reference. */
  readonly expectationOf?: ExpectationOf | undefined
  /** Told of secrets where other threads ask the same target. */
  readonly onNews?: (news: SecretNews) => void
}

/** No answer of the service takes a minute, on a busy machine two. */
const longestCheckMs = 180_000

/**
 * A connection for every request: one that was kept, a gateway or a proxy may have closed, of which a
 * busy suite hears only after it has sent the next request into it. That would be no fault of theirs.
 */
const connections = new Agent({ pipelining: 0 })
const freshFetch = ((url: string, init?: object) =>
  fetchOver(url, { ...init, dispatcher: connections })) as unknown as typeof fetch

/** Ends what takes longer, whatever else may end it. */
const within =
  (ms: number, fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  (input, init) => {
    const limit = AbortSignal.timeout(ms)
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit
    return fetch(input, { ...init, signal })
  }

/** Takes news of secrets into what a session knows. */
export const learn = (session: Pick<Session, 'guarded' | 'leaks'>, news: SecretNews): void => {
  for (const [value, name] of news.guarded ?? []) session.guarded.set(value, name)
  for (const name of news.leaked ?? []) session.leaks.add(name)
}

export const createSession = (options: SessionOptions): Session => {
  const made = new Map<string, Promise<unknown>>()
  let client: PublicClient | undefined
  const begunAt = options.begunAt ?? Date.now()
  const { target, seed, effort, missing, requestMs, onNews, fetch = freshFetch } = options
  const secrets = {
    leaks: new Set<string>(),
    guarded: new Map(
      Object.entries(secretsOf(target)).flatMap(([name, value]) =>
        value.length > 5 ? [[value, name] as const] : [],
      ),
    ),
  }
  const limiter = limiterOf(target, options.limitState ?? createLimitState())
  return {
    target,
    seed,
    effort,
    missing,
    checkMs: options.checkMs ?? longestCheckMs,
    since: (at = performance.now()) => performance.timeOrigin + at - begunAt,
    fetch: limiter.limit(requestMs === undefined ? fetch : within(requestMs, fetch)),
    limiter,
    ...secrets,
    expectationOf: target.reference ? options.expectationOf : undefined,
    tell: (news) => {
      learn(secrets, news)
      onNews?.(news)
    },
    chain: () => {
      const rpcUrl = target.chain?.rpcUrl
      if (rpcUrl === undefined) throw new Untestable('no node of the chain is known')
      // A local chain mines at once; who waits for a block asks again soon.
      client ??= createPublicClient({
        pollingInterval: 50,
        // A block that came since the last look is one that a gateway may know of.
        cacheTime: 0,
        transport: rpcTransport(rpcUrl, { timeout: 20_000, retryCount: 1 }),
      })
      return client
    },
    once: <T>(name: string, make: () => Promise<T>) => {
      const known = made.get(name) ?? make()
      made.set(name, known)
      return known as Promise<T>
    },
  }
}
