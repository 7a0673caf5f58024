import { isDeepStrictEqual } from 'node:util'
import pMap from 'p-map'
import type { Clock } from 'polgate-protocol/clock.ts'
import type { ExplorerIndex } from '../store/explorer/explorerIndex.ts'
import type { IndexerLog } from './indexer/indexerLog.ts'
import { NotLeaseHolder } from './indexer/notLeaseHolder.ts'
import { problemOf } from './indexer/problemOf.ts'
import type { PolicyDescriber } from './policyDescriber.ts'

export type PolicyDescriptionsDeps = {
  readonly index: Pick<ExplorerIndex, 'undescribedPolicies' | 'describePolicy'>
  readonly chainId: number
  readonly describer: PolicyDescriber
  /** Runs a write while no other process writes the chain. */
  readonly alone: <T>(write: () => Promise<T>) => Promise<T>
  readonly clock: Clock
  readonly log: IndexerLog
  readonly signal: AbortSignal
}

/** Describes the policies of a chain while the chain is followed. */
export type PolicyDescriptions = {
  /** Checks for policies to describe. */
  wake(): void
  /** Cancels running work. Call it after the signal has aborted. */
  close(): Promise<void>
}

const pageSize = 16
const parallel = 4
/** Interval of checks for due retries. */
const checkMs = 15_000
const firstRetryMs = 10_000
const maxRetryMs = 3_600_000
/** After about two days of retries the policy is shown without a description. */
const maxAttempts = 50

type Undescribed = Awaited<ReturnType<ExplorerIndex['undescribedPolicies']>>[number]

export function createPolicyDescriptions(deps: PolicyDescriptionsDeps): PolicyDescriptions {
  const { index, chainId, describer, alone, clock, log, signal } = deps
  let again = false
  let checking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    for (;;) {
      const policies = await alone(() => index.undescribedPolicies(chainId, pageSize))
      await pMap(policies, describe, { concurrency: parallel })
      if (policies.length < pageSize || signal.aborted) return
    }
  }

  async function describe(policy: Undescribed): Promise<void> {
    const { contents, complete } = await describer.describe(policy.info, signal)
    const wait = Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(policy.attempts, 20))
    const final = complete || policy.attempts + 1 >= maxAttempts
    const description = final ? contents : { again: new Date(clock() + wait) }
    await alone(async () => {
      // After a reorganisation another policy may have the address.
      const [...still] = await index.undescribedPolicies(chainId, pageSize)
      const same = still.find(({ address }) => address === policy.address)
      if (same === undefined || !isDeepStrictEqual(same.info, policy.info)) return
      await index.describePolicy(chainId, policy.address, description)
    })
  }

  function wake(): void {
    again = true
    if (checking !== undefined || signal.aborted) return
    clearTimeout(timer)
    checking = (async () => {
      while (again && !signal.aborted) {
        again = false
        await check()
      }
    })()
      .then(later)
      .catch((error) => {
        // Another process writes the chain now, and describes the policies.
        if (signal.aborted || error instanceof NotLeaseHolder) return
        log.warn(
          { chainId, problem: problemOf(error) },
          'describing policies failed; retrying later',
        )
        later()
      })
      .finally(() => {
        checking = undefined
        if (again) wake()
      })
  }

  function later(): void {
    if (signal.aborted) return
    timer = setTimeout(wake, checkMs)
    timer.unref()
  }

  return {
    wake,
    async close() {
      clearTimeout(timer)
      await checking
      clearTimeout(timer)
    },
  }
}
