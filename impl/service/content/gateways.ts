import type { CID } from 'multiformats/cid'
import { createKeyedSemaphore, type KeyedSemaphore } from 'polgate-lib/async/keyedSemaphore.ts'
import { defaultTimes } from './contentConfig.ts'
import { publicFetch } from './followRedirects.ts'
import { type Gateway, gatewayAt } from './gateway.ts'
import { GatewayFailure } from './gatewayFailure.ts'
import { hedge } from './hedge.ts'

export type GatewaysOptions = {
  /** In order of preference. */
  readonly gateways: readonly Gateway[]
  /** How long to wait for a gateway before the next is requested too. */
  readonly headStartMs: number
  /** Monotonic milliseconds. */
  readonly now: () => number
}

/** A block, or why no gateway returned it. */
export type Fetched =
  | { readonly block: Uint8Array }
  | { readonly problems: readonly string[]; readonly tooLarge: boolean }

export type Gateways = {
  /** @throws the signal's reason */
  fetch(cid: CID, maxBytes: number, signal: AbortSignal): Promise<Fetched>
}

/** Concurrent exchanges with one gateway; a file of many blocks requests several at once. */
const exchangesPerGateway = 8
const coolMs = 30_000
const maxCoolMs = 5 * 60_000

type Member = {
  readonly gateway: Gateway
  readonly slots: KeyedSemaphore
  /** Failures since it last gave a block. */
  failures: number
  /** Until then it is requested after the others. */
  coolUntil: number
  /** Until then it is not requested, because of its Retry-After. */
  leaveUntil: number
}

/** Gateways by their URL above `/ipfs/{cid}`, in order of preference. */
export function httpGateways(options: {
  readonly urls: readonly string[]
  readonly timeoutMs?: number | undefined
  readonly headStartMs?: number | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
}): Gateways {
  const { urls, fetch = globalThis.fetch } = options
  const { timeoutMs = defaultTimes.timeoutMs, headStartMs = defaultTimes.headStartMs } = options
  const fetchElsewhere = publicFetch()
  return createGateways({
    gateways: urls.map((url) => gatewayAt(url, { fetch, fetchElsewhere, timeoutMs })),
    headStartMs,
    now: () => performance.now(),
  })
}

/** Combines several gateways: the first valid response is used. */
export function createGateways({ gateways, headStartMs, now }: GatewaysOptions): Gateways {
  const members: Member[] = gateways.map((gateway) => ({
    gateway,
    slots: createKeyedSemaphore({ total: exchangesPerGateway }),
    failures: 0,
    coolUntil: 0,
    leaveUntil: 0,
  }))

  function blame(member: Member, leaveMs = 0): void {
    member.failures += 1
    const cool = Math.min(coolMs * 2 ** (member.failures - 1), maxCoolMs)
    member.coolUntil = now() + cool
    member.leaveUntil = now() + leaveMs
  }

  /**
   * Healthy gateways in their order, then the others, starting with the one that failed longest
   * ago.
   */
  function inTurn(): Member[] {
    const time = now()
    const rank = ({ coolUntil }: Member) => (coolUntil > time ? coolUntil : 0)
    return [...members].sort((a, b) => rank(a) - rank(b))
  }

  return {
    async fetch(cid, maxBytes, signal) {
      const failures: { readonly host: string; readonly failure: GatewayFailure }[] = []
      const attempts = inTurn().map((member) => async (own: AbortSignal) => {
        const { gateway, slots } = member
        const { host } = gateway
        const wait = Math.ceil((member.leaveUntil - now()) / 1_000)
        if (wait > 0) {
          const failure = new GatewayFailure(`allows no requests for ${wait} s (Retry-After)`, {
            blamed: false,
          })
          failures.push({ host, failure })
          throw failure
        }
        const release = await slots.take(host, own)
        const begin = now()
        try {
          const block = await gateway.block(cid, maxBytes, own)
          member.failures = 0
          member.coolUntil = 0
          return block
        } catch (error) {
          if (error instanceof GatewayFailure) {
            failures.push({ host, failure: error })
            if (error.blamed) blame(member, error.retryAfterMs)
          } else if (!signal.aborted && now() - begin >= headStartMs) {
            // Another one that began later was quicker.
            blame(member)
          }
          throw error
        } finally {
          release()
        }
      })
      const first = await hedge(attempts, { headStartMs, signal })
      if (first !== undefined) return { block: first.value }
      const found = failures.filter(({ failure }) => failure.message !== 'does not have it')
      return {
        problems: found.map(({ host, failure }) => `the gateway ${host} ${failure.message}`),
        tooLarge: found.length > 0 && found.every(({ failure }) => failure.tooLarge),
      }
    },
  }
}
