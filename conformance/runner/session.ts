import { Agent, fetch as fetchOver } from 'undici'
import type { PublicClient } from 'viem'
import { createPublicClient, http } from 'viem'
import { secretsOf, type Target } from '../targets/target.ts'
import { Untestable } from './conformanceError.ts'

/** What all checks of a run share. */
export type Session = {
  readonly target: Target
  readonly seed: string
  /** Multiplies the number of runs of every property; 1 is the level of a certification. */
  readonly effort: number
  /** Why a need is not met; a need that is not listed here is met. */
  readonly missing: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
  readonly chain: () => PublicClient
  /** Milliseconds from the beginning of the run to a moment of `performance.now()`, now by default. */
  readonly since: (at?: number) => number
  /** Names of secrets that stood in an answer. */
  readonly leaks: Set<string>
  /** Values that no answer may hold, each with the name that a report tells of it. */
  readonly guarded: Map<string, string>
  /** Runs `make` once in a run, however many checks ask. */
  readonly once: <T>(name: string, make: () => Promise<T>) => Promise<T>
}

export type SessionOptions = {
  readonly target: Target
  readonly seed: string
  readonly effort: number
  readonly missing: Readonly<Record<string, string>>
  readonly fetch?: typeof fetch
  /** When the run began, as `Date.now()` told it; now by default. */
  readonly begunAt?: number
}

/**
 * Takes up no connection that was idle for seconds: a gateway may have closed it, which a busy suite
 * would hear of only after it has sent the next request into it.
 */
const connections = new Agent({ keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 })
const freshFetch = ((url: string, init?: object) =>
  fetchOver(url, { ...init, dispatcher: connections })) as unknown as typeof fetch

export const createSession = (options: SessionOptions): Session => {
  const made = new Map<string, Promise<unknown>>()
  let client: PublicClient | undefined
  const begunAt = options.begunAt ?? Date.now()
  return {
    ...options,
    since: (at = performance.now()) => performance.timeOrigin + at - begunAt,
    fetch: options.fetch ?? freshFetch,
    leaks: new Set(),
    guarded: new Map(
      Object.entries(secretsOf(options.target)).flatMap(([name, value]) =>
        value.length > 5 ? [[value, name] as const] : [],
      ),
    ),
    chain: () => {
      const rpcUrl = options.target.chain?.rpcUrl
      if (rpcUrl === undefined) throw new Untestable('no node of the chain is known')
      client ??= createPublicClient({ transport: http(rpcUrl, { timeout: 20_000, retryCount: 1 }) })
      return client
    },
    once: <T>(name: string, make: () => Promise<T>) => {
      const known = made.get(name) ?? make()
      made.set(name, known)
      return known as Promise<T>
    },
  }
}
