import { poster } from './assumptions.ts'
import type { Costs } from './costs.ts'
import { createSimulation } from './simulation.ts'

export type ChainKind = {
  readonly name: string
  /** Gas of a block, and milliseconds between blocks. */
  readonly blockGas: number
  readonly blockMs: number
}

export const chainKinds: readonly ChainKind[] = [
  { name: '30M gas, 12 s', blockGas: 30e6, blockMs: 12_000 },
  { name: '30M gas, 2 s', blockGas: 30e6, blockMs: 2_000 },
]

export type PostingRate = {
  readonly resultsPerTransaction: number
  readonly resultsPerBlock: number
  readonly perSecond: number
  /** Part of the gas of the blocks that the results use. */
  readonly gasUsed: number
}

/**
 * Results that a chain takes of accounts that always have some due. Each account sends what is due
 * in transactions of at most `maxGas`, one batch a second, as long as at most `maxInFlight` are in
 * flight. A block takes transactions in their order while their gas limit fits in what it has left.
 */
export function postingRate(
  { gasUsedPerResult, gasLimitPerResult }: Costs['posting'],
  chain: ChainKind,
  accounts: number,
  blocks = 50,
): PostingRate {
  const simulation = createSimulation()
  const perTransaction = Math.max(1, Math.floor(poster.maxGas / gasLimitPerResult))
  type Transaction = { readonly account: number; readonly results: number }
  let pending: Transaction[] = []
  const inFlight = new Array<number>(accounts).fill(0)
  let posted = 0

  function send(account: number): void {
    let room = poster.maxInFlight - inFlight[account]!
    while (room > 0) {
      const results = Math.min(room, perTransaction)
      pending.push({ account, results })
      inFlight[account]! += results
      room -= results
    }
    simulation.after(poster.spacing, () => send(account))
  }
  function mine(): void {
    let left = chain.blockGas
    const later: Transaction[] = []
    // A transaction waits for the earlier ones of its account.
    const blocked = new Set<number>()
    for (const each of pending) {
      if (blocked.has(each.account) || each.results * gasLimitPerResult > left) {
        blocked.add(each.account)
        later.push(each)
      } else {
        left -= each.results * gasUsedPerResult
        inFlight[each.account]! -= each.results
        posted += each.results
      }
    }
    pending = later
    simulation.after(chain.blockMs, mine)
  }
  for (let account = 0; account < accounts; account++) simulation.after(0, () => send(account))
  simulation.after(chain.blockMs, mine)
  // The first blocks fill the pipeline.
  const warm = 5 * chain.blockMs
  simulation.run(warm)
  const before = posted
  simulation.run(warm + blocks * chain.blockMs)
  const done = posted - before
  return {
    resultsPerTransaction: perTransaction,
    resultsPerBlock: done / blocks,
    perSecond: (done * 1000) / (blocks * chain.blockMs),
    gasUsed: (done * gasUsedPerResult) / (blocks * chain.blockGas),
  }
}

export type PostingPlan = {
  readonly chain: ChainKind
  readonly oneAccount: PostingRate
  /** Accounts from which on more do not help. */
  readonly accounts: number
  readonly best: PostingRate
  /** If blocks had only results, and transactions reserved no more gas than they use. */
  readonly gasBoundPerSecond: number
  /** Chains for the rate, at the allowed utilisation, with as many accounts. */
  readonly chains: number
  readonly chainsGasBound: number
  /** Gas per second of one commitment a block, and its part of a block. */
  readonly commitmentPart: number
}

export function postingPlan(options: {
  readonly costs: Costs
  readonly chain: ChainKind
  readonly rate: number
  readonly maxUtilisation: number
  readonly commitmentGas: number
}): PostingPlan {
  const { costs, chain, rate, maxUtilisation, commitmentGas } = options
  const oneAccount = postingRate(costs.posting, chain, 1)
  let accounts = 1
  let best = oneAccount
  for (;;) {
    const more = postingRate(costs.posting, chain, accounts + 1)
    if (more.perSecond <= best.perSecond * 1.001) break
    accounts += 1
    best = more
  }
  const gasBoundPerSecond =
    (Math.floor(chain.blockGas / costs.posting.gasUsedPerResult) * 1000) / chain.blockMs
  const chainsFor = (perSecond: number) => Math.ceil(rate / (perSecond * maxUtilisation))
  return {
    ...{ chain, oneAccount, accounts, best, gasBoundPerSecond },
    chains: chainsFor(best.perSecond),
    chainsGasBound: chainsFor(gasBoundPerSecond),
    commitmentPart: commitmentGas / chain.blockGas,
  }
}
