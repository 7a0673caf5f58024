import type { Clock } from 'polgate-protocol/clock.ts'
import { defaultQuorum, parseQuorumNumbers } from './quorumNumbers.ts'
import type { TaskChain } from './taskChain.ts'

export type Registrations = {
  /**
   * Ids, in lower case, of the operators that the default quorum has now, at most a second old;
   * undefined where the chain does not tell. Never rejects.
   */
  current(chain: TaskChain): Promise<ReadonlySet<string> | undefined>
}

const freshMs = 1_000

/** Asks the chain once a second at most: simulations come by the hundred (section 4.4). */
export function createRegistrations({ clock }: { readonly clock: Clock }): Registrations {
  const { numbers } = parseQuorumNumbers(defaultQuorum.numbers)
  let known: { readonly ids: ReadonlySet<string> | undefined; readonly until: number } | undefined

  return {
    async current(chain) {
      if (known !== undefined && known.until > clock()) return known.ids
      try {
        const { operators } = await chain.operatorSet(numbers, await chain.latestBlock())
        const registered = operators.filter(({ stakes }) => stakes.some((stake) => stake > 0n))
        const ids = new Set(registered.map(({ operatorId }) => operatorId.toLowerCase()))
        known = { ids, until: clock() + freshMs }
        return ids
      } catch {
        // What needs the chain says so itself; supplied data on a supplied policy needs none of it.
        return undefined
      }
    },
  }
}
