import { defaultQuorum, parseQuorumNumbers } from './quorumNumbers.ts'
import type { TaskChain } from './taskChain.ts'

export type Registrations = {
  /**
   * Lower-case ids of the operators in the default quorum, cached for a second; undefined if the
   * chain is unavailable. Never rejects.
   */
  current(chain: TaskChain): Promise<ReadonlySet<string> | undefined>
}

const freshMs = 1_000

/** Reads the chain at most once a second, because simulations may be frequent (section 4.4). */
export function createRegistrations(): Registrations {
  const { numbers } = parseQuorumNumbers(defaultQuorum.numbers)
  let known: { readonly ids: ReadonlySet<string> | undefined; readonly until: number } | undefined

  return {
    async current(chain) {
      if (known !== undefined && known.until > performance.now()) return known.ids
      try {
        const { operators } = await chain.operatorSet(numbers, await chain.latestBlock())
        const registered = operators.filter(({ stakes }) => stakes.some((stake) => stake > 0n))
        const ids = new Set(registered.map(({ operatorId }) => operatorId.toLowerCase()))
        known = { ids, until: performance.now() + freshMs }
        return ids
      } catch {
        // Work that needs the chain reports this itself; supplied data with a supplied policy does
        // not.
        return undefined
      }
    },
  }
}
