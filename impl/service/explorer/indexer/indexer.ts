import { createSerialQueue } from 'polgate-lib/async/serialQueue.ts'
import { unlessAborted } from 'polgate-lib/async/unlessAborted.ts'
import type { Clock } from 'polgate-protocol/clock.ts'
import type { PublicClient } from 'viem'
import type { ExplorerIndex } from '../../store/explorer/explorerIndex.ts'
import type { LeaseQueries } from '../../store/leases.ts'
import type { PolicyDescriber } from '../policyDescriber.ts'
import { createPolicyDescriptions } from '../policyDescriptions.ts'
import { createChainFollower, type FollowLimits } from './chainFollower.ts'
import type { FollowedNetwork } from './followedNetwork.ts'
import type { IndexerLog } from './indexerLog.ts'
import { createLeaseKeeper } from './leaseKeeper.ts'
import { NotWriting } from './notWriting.ts'
import { problemOf } from './problemOf.ts'

export type IndexerDeps = {
  readonly index: ExplorerIndex
  readonly leases: Pick<LeaseQueries, 'take' | 'release'>
  /** Reads without retries of its own: see `createChainClient`. */
  readonly client: PublicClient
  readonly network: FollowedNetwork
  /**
   * Who holds the lease. A process that alone has its database may call itself the same at each
   * start: then it need not wait for a lease that a crash has left.
   */
  readonly holder: string
  /** Absent: policies stay undescribed. */
  readonly describer?: PolicyDescriber | undefined
  readonly clock: Clock
  readonly log: IndexerLog
  /** How long another process waits for one that is silent, milliseconds. Default 5,000. */
  readonly leaseMs?: number | undefined
  readonly limits?: Partial<FollowLimits> | undefined
}

export type IndexerStatus = {
  readonly chainId: number
  /** One process writes a chain, the others stand by. */
  readonly state: 'starting' | 'writing' | 'standby' | 'closed'
  /** The newest block of the chain, as far as this process knows. */
  readonly head: number | undefined
  /** The first that has not been read. */
  readonly nextBlock: number | undefined
  /** Blocks not read yet. */
  readonly lag: number | undefined
  /** Why the last look did not succeed; undefined when it did. */
  readonly problem: string | undefined
}

/** Follows a chain into the index (section 4.12, decisions X4 and X5). */
export type Indexer = {
  /** Begins; it goes on until it is closed, whatever happens to the node or the store. */
  start(): void
  /** Looks at once: a task has ended. */
  wake(): void
  status(): IndexerStatus
  /** Ends what is under way and gives the lease back. May be called again. */
  close(): Promise<void>
}

const defaultLimits: FollowLimits = { parallel: 4, maxLogs: 2_000 }
const recordsAtOnce = 500
/** After a failure; every other one in a row doubles it. */
const leastPauseMs = (pollMs: number) => Math.min(pollMs, 1_000)
const maxPauseMs = 10_000
/** Of looks at the chain that somebody woke it for. */
const leastPollMs = 100

export function createIndexer(deps: IndexerDeps): Indexer {
  const { index, network, log } = deps
  const { chainId, pollMs } = network
  const closing = new AbortController()
  const { signal } = closing
  const lease = createLeaseKeeper({
    leases: deps.leases,
    name: `indexer/${chainId}`,
    holder: deps.holder,
    ms: deps.leaseMs ?? 5_000,
  })
  const follower = createChainFollower({
    index,
    client: deps.client,
    network,
    limits: { ...defaultLimits, ...deps.limits },
    alone,
    log,
    signal,
    async onBatch({ events }) {
      failures = 0
      if (events.some(({ kind }) => kind === 'policyDeployed')) descriptions?.wake()
      // To catch up may take long.
      if (woken || performance.now() - absorbedAt > pollMs) await absorb()
    },
  })
  const descriptions =
    deps.describer &&
    createPolicyDescriptions({ ...deps, describer: deps.describer, chainId, alone, signal })
  let state: IndexerStatus['state'] = 'starting'
  let problem: string | undefined
  let failures = 0
  /** Monotonic, as all times below. */
  let polledAt = Number.NEGATIVE_INFINITY
  let pollAt = Number.NEGATIVE_INFINITY
  let absorbedAt = Number.NEGATIVE_INFINITY
  let woken = false
  /** Somebody woke it since the chain was looked at. */
  let pollSoon = false
  let wakeSleeper = () => {}
  const writes = createSerialQueue()
  let running: Promise<void> | undefined

  /**
   * Writes of this process follow each other, and each is made with most of the lease's time ahead.
   * A process that was stopped in between, for longer than that, does no harm: `append` is refused
   * by the index when another has read on, and what an outdated `append` or `takeBack` did is seen
   * by the next comparison of hashes and read again.
   */
  function alone<T>(write: () => Promise<T>): Promise<T> {
    return writes.run(async () => {
      if (signal.aborted || !(await lease.take())) throw new NotWriting()
      return await write()
    })
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const pause = await round().catch((error) => failed(error))
      if (!woken) await sleep(pause)
    }
  }

  /** @returns milliseconds until the next */
  async function round(): Promise<number> {
    woken = false
    if (!(await lease.take())) {
      if (state !== 'standby') log.info({ chainId }, 'another process indexes the chain')
      state = 'standby'
      follower.forget()
      return Math.min(pollMs, 1_000)
    }
    if (state !== 'writing') {
      log.info({ chainId }, 'this process indexes the chain')
      state = 'writing'
      descriptions?.wake()
    }
    await absorb()
    const now = performance.now()
    if (now < pollAt) return Math.min(pollMs, pollAt - now)
    polledAt = now
    pollSoon = false
    await unlessAborted(signal, follower.follow())
    pollAt = polledAt + (pollSoon ? Math.min(leastPollMs, pollMs) : pollMs)
    failures = 0
    problem = undefined
    return Math.max(0, pollAt - performance.now())
  }

  async function absorb(): Promise<void> {
    woken = false
    let taken: number
    do taken = await alone(() => index.absorbRecords(chainId, recordsAtOnce))
    while (taken === recordsAtOnce)
    absorbedAt = performance.now()
  }

  function failed(error: unknown): number {
    if (signal.aborted || error instanceof NotWriting) {
      follower.forget()
      return 0
    }
    failures += 1
    const told = problemOf(error)
    if (told !== problem) log.warn({ chainId, problem: told }, 'the chain cannot be followed')
    problem = told
    const pause = Math.min(leastPauseMs(pollMs) * 2 ** Math.min(failures - 1, 10), maxPauseMs)
    pollAt = performance.now() + pause
    // Records can be had without the chain.
    return Math.min(pause, Math.max(pollMs, 1_000))
  }

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wakeSleeper = () => {
        clearTimeout(timer)
        resolve()
      }
      if (signal.aborted) wakeSleeper()
    })
  }

  return {
    start() {
      running ??= run()
    },
    wake() {
      woken = true
      pollSoon = true
      if (failures === 0) pollAt = Math.min(pollAt, polledAt + leastPollMs)
      wakeSleeper()
    },
    status() {
      const { head, nextBlock } = follower
      const known = head !== undefined && nextBlock !== undefined
      const lag = known ? Math.max(0, head + 1 - nextBlock) : undefined
      return { chainId, state, head, nextBlock, lag, problem }
    },
    async close() {
      if (state === 'closed') return
      state = 'closed'
      closing.abort()
      wakeSleeper()
      await Promise.all([running, descriptions?.close()])
      await writes.idle()
      await lease
        .release()
        .catch((err) => log.warn({ chainId, err }, 'the lease runs out by itself'))
    },
  }
}
