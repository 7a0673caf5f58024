import type { CID } from 'multiformats/cid'
import { defaultTimes } from './contentConfig.ts'
import { publicFetch } from './followRedirects.ts'
import { type Gateway, gatewayAt } from './gateway.ts'
import { GatewayFailure } from './gatewayFailure.ts'
import { hedge } from './hedge.ts'
import { createSlots } from './slots.ts'

export type GatewaysOptions = {
  /** In the order in which they are asked. */
  readonly gateways: readonly Gateway[]
  /** How long a silent one is waited for before the next is asked as well. */
  readonly headStartMs: number
  /** Milliseconds; any start. */
  readonly now: () => number
}

/** A block, or why none of the gateways gave it. */
export type Fetched =
  | { readonly block: Uint8Array }
  | { readonly problems: readonly string[]; readonly tooLarge: boolean }

export type Gateways = {
  /** @throws the signal's reason */
  fetch(cid: CID, maxBytes: number, signal: AbortSignal): Promise<Fetched>
}

/** Exchanges with one gateway at a time; a file of many blocks asks for several at once. */
const exchangesPerGateway = 8
const coolMs = 30_000
const maxCoolMs = 5 * 60_000

type Member = {
  readonly gateway: Gateway
  readonly slots: ReturnType<typeof createSlots>
  /** Failures since it last gave a block. */
  failures: number
  /** Until then it is asked after the others. */
  coolUntil: number
  /** Until then it is not asked at all: it said so itself. */
  leaveUntil: number
}

/** Gateways by the URL above their `/ipfs/{cid}`, in the order in which they are asked. */
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

/** Several gateways as one source: the first right answer counts, whoever gives it. */
export function createGateways({ gateways, headStartMs, now }: GatewaysOptions): Gateways {
  const members: Member[] = gateways.map((gateway) => ({
    gateway,
    slots: createSlots(exchangesPerGateway),
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

  /** Those in good health in their order, then the others, the one first that failed longest ago. */
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
          const failure = new GatewayFailure(`wants no requests for ${wait} s`, { blamed: false })
          failures.push({ host, failure })
          throw failure
        }
        return await slots.with(own, async () => {
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
          }
        })
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
