import { rpcTransport } from 'polgate-chain/rpcTransport.ts'
import type { PublicClient } from 'viem'
import { createPublicClient } from 'viem'
import type { ExpectationOf } from '../core/expectation.ts'
import { type LoopWatch, loopWatch } from '../core/loopWatch.ts'
import { derivedSeed } from '../core/seed.ts'
import type { Target } from '../core/target.ts'
import { createLimitState, type Limiter, type LimitState } from '../targets/limits.ts'
import { limiterOf, secretsOf } from '../targets/target.ts'
import { lacking } from '../targets/targetLine.ts'
import { namedFetch } from '../wire/exchange.ts'
import { freshFetch } from '../wire/freshFetch.ts'
import { createPace, overloaded, type Pace } from './pace.ts'
import { createReachability, type Reachability } from './reachability.ts'
import { createSharedWorks, type SharedWorks } from './sharedWork.ts'

/** State shared by all checks of a run. */
export type Session = {
  readonly target: Target
  readonly seed: string
  /** Seeds of a check, by use; the same function for each run of the check. */
  readonly seedOf: (check: string) => (use?: string) => number
  /** Multiplies the number of runs of every property; 1 is the level of a certification. */
  readonly effort: number
  /** Every case of the parameter matrix, instead of a sample. */
  readonly fullMatrix: boolean
  /** Why a capability is missing; one that is not listed is available. */
  readonly missing: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
  /** Whether the gateway still answers. */
  readonly reachability: Reachability
  /** The remaining request budget of the target; `fetch` already enforces it. */
  readonly limiter: Limiter
  readonly chain: () => PublicClient
  /** Milliseconds from the start of the run to a `performance.now()` time, now by default. */
  readonly since: (at?: number) => number
  /** A check that takes longer, apart from the target's latency and its blocks, has failed. */
  readonly checkMs: number
  /** Why a timeout proves nothing now; undefined where the machine is not overloaded. */
  readonly overloaded: () => string | undefined
  /** Of this thread: when the suite itself was late. */
  readonly loop: LoopWatch
  /** How fast the target answers. */
  readonly pace: Pace
  /** Secrets found in what was received: the name of each, and where. */
  readonly leaks: Set<string>
  /** Values that no response may contain, each with its name in reports. */
  readonly guarded: Map<string, string>
  /** Adds to both, here and in the other threads of this run. */
  readonly tell: (news: SecretUpdate) => void
  /** What the reference implementation is held to; undefined for every other target. */
  readonly expectationOf: ExpectationOf | undefined
  /** What checks make once per run. */
  readonly shared: SharedWorks
}

/** What one thread of a run learns about secrets and the others need. */
export type SecretUpdate = {
  /** Newly guarded values, each with its name. */
  readonly guarded?: readonly (readonly [value: string, name: string])[]
  /** Secrets found in what was received: the name of each, and where. */
  readonly leaked?: readonly string[]
}

export type SessionOptions = {
  readonly target: Target
  readonly seed: string
  readonly effort: number
  readonly missing: Readonly<Record<string, string>>
  readonly fullMatrix?: boolean | undefined
  readonly fetch?: typeof fetch
  /** Start of the run as a `Date.now()` time; now by default. */
  readonly begunAt?: number
  /** Timeout of a check, milliseconds. */
  readonly checkMs?: number | undefined
  /** Time between two blocks of the target's chain, milliseconds; 0, the default: it mines on demand. */
  readonly blockMs?: number | undefined
  /** Maximum timeout of a request, milliseconds; each request has a shorter one by default. */
  readonly requestMs?: number | undefined
  /** Counts the requests of all threads of the run; of this session alone by default. */
  readonly limitState?: LimitState
  /** What the reference implementation decided; applies where the target is the reference. */
  readonly expectationOf?: ExpectationOf | undefined
  /** Measured on this machine by default. */
  readonly overloaded?: () => string | undefined
  /** Default that of this thread. */
  readonly loop?: LoopWatch
  /** Called with new secrets, for other threads that test the same target. */
  readonly onNews?: (news: SecretUpdate) => void
}

/** No response of the service takes a minute, on a busy machine two. */
const longestCheckMs = 180_000

/** Aborts what takes longer, in addition to other signals. */
const within =
  (ms: number, fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  (input, init) => {
    const limit = AbortSignal.timeout(ms)
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit
    return fetch(input, { ...init, signal })
  }

/** Adds received secrets to a session. */
export function learn(session: Pick<Session, 'guarded' | 'leaks'>, news: SecretUpdate): void {
  for (const [value, name] of news.guarded ?? []) session.guarded.set(value, name)
  for (const leak of news.leaked ?? []) session.leaks.add(leak)
}

export function createSession(options: SessionOptions): Session {
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
  const seeds = new Map<string, (use?: string) => number>()
  const isOverloaded = options.overloaded ?? overloaded
  const limiter = limiterOf(target, options.limitState ?? createLimitState())
  const limited = namedFetch(
    limiter.limit(requestMs === undefined ? fetch : within(requestMs, fetch)),
  )
  return {
    target,
    seed,
    effort,
    fullMatrix: options.fullMatrix ?? false,
    missing,
    checkMs: options.checkMs ?? longestCheckMs,
    overloaded: isOverloaded,
    seedOf: (check) => {
      const known = seeds.get(check) ?? ((use = '') => derivedSeed(seed, check, use))
      seeds.set(check, known)
      return known
    },
    shared: createSharedWorks(target.gatewayUrl, isOverloaded),
    loop: options.loop ?? loopWatch(),
    pace: createPace(options.blockMs),
    since: (at = performance.now()) => performance.timeOrigin + at - begunAt,
    fetch: limited,
    reachability: createReachability({ gatewayUrl: target.gatewayUrl, fetch: limited }),
    limiter,
    ...secrets,
    expectationOf: target.reference ? options.expectationOf : undefined,
    tell: (news) => {
      learn(secrets, news)
      onNews?.(news)
    },
    chain: () => {
      const rpcUrl = target.chain?.rpcUrl
      if (rpcUrl === undefined) throw lacking('no node of the chain is known', 'chain', target)
      // A local chain mines immediately; waiting for a block polls at short intervals.
      client ??= createPublicClient({
        pollingInterval: 50,
        // No caching: a block mined since the last call is one that a gateway may know.
        cacheTime: 0,
        transport: rpcTransport(rpcUrl, { timeout: 20_000, retryCount: 1 }),
      })
      return client
    },
  }
}
