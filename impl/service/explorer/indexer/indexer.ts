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
import { createHeldLease } from './heldLease.ts'
import type { IndexerLog } from './indexerLog.ts'
import { NotLeaseHolder } from './notLeaseHolder.ts'
import { problemOf } from './problemOf.ts'

export type IndexerDeps = {
  readonly index: ExplorerIndex
  readonly leases: Pick<LeaseQueries, 'take' | 'release'>
  /** A client without retries: see `createChainClient`. */
  readonly client: PublicClient
  readonly network: FollowedNetwork
  /**
   * The holder of the lease. A process that is the only one on its database may use the same name
   * at each start: then it need not wait for the lease of a crashed process to expire.
   */
  readonly holder: string
  /** Absent: policies have no descriptions. */
  readonly describer?: PolicyDescriber | undefined
  readonly clock: Clock
  readonly log: IndexerLog
  /** Expiry of the lease of an unresponsive process, milliseconds. Default 5,000. */
  readonly leaseMs?: number | undefined
  readonly limits?: Partial<FollowLimits> | undefined
}

export type IndexerStatus = {
  readonly chainId: number
  /** One process writes a chain; the others are on standby. */
  readonly state: 'starting' | 'writing' | 'standby' | 'closed'
  /** The newest known block of the chain. */
  readonly head: number | undefined
  /** The first block that has not been read. */
  readonly nextBlock: number | undefined
  /** Number of blocks that have not been read. */
  readonly lag: number | undefined
  /** The error of the last poll; undefined after a successful one. */
  readonly problem: string | undefined
}

/** Writes a chain to the index (section 4.12, decisions X4 and X5). */
export type Indexer = {
  /** Starts following the chain until `close`; failures of the node or the store are retried. */
  start(): void
  /** Polls immediately: a task has ended. */
  wake(): void
  status(): IndexerStatus
  /** Cancels running work and releases the lease. Idempotent. */
  close(): Promise<void>
}

const defaultLimits: FollowLimits = { parallel: 4, maxLogs: 2_000 }
const recordsAtOnce = 500
/** Pause after a failure; doubled for each further consecutive failure. */
const leastPauseMs = (pollMs: number) => Math.min(pollMs, 1_000)
const maxPauseMs = 10_000
/** Minimum interval of polls caused by `wake`. */
const leastPollMs = 100

export function createIndexer(deps: IndexerDeps): Indexer {
  const { index, network, log } = deps
  const { chainId, pollMs } = network
  const closing = new AbortController()
  const { signal } = closing
  const lease = createHeldLease({
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
      // Catching up may take long.
      if (woken || performance.now() - absorbedAt > pollMs) await absorb()
    },
  })
  const descriptions =
    deps.describer &&
    createPolicyDescriptions({ ...deps, describer: deps.describer, chainId, alone, signal })
  let state: IndexerStatus['state'] = 'starting'
  let problem: string | undefined
  let failures = 0
  /** Monotonic time, like all times below. */
  let polledAt = Number.NEGATIVE_INFINITY
  let pollAt = Number.NEGATIVE_INFINITY
  let absorbedAt = Number.NEGATIVE_INFINITY
  let woken = false
  /** `wake` was called since the last poll. */
  let pollSoon = false
  let wakeSleeper = () => {}
  const writes = createSerialQueue()
  let running: Promise<void> | undefined

  /**
   * Serializes the writes of this process, each with most of the lease's time remaining. A process
   * that is suspended in between for longer than that does no harm: the index rejects its `append`
   * when another process has continued, and the next comparison of hashes detects the effect of an
   * outdated `append` or `rollBack`, which is then read again.
   */
  function alone<T>(write: () => Promise<T>): Promise<T> {
    return writes.run(async () => {
      if (signal.aborted || !(await lease.take())) throw new NotLeaseHolder()
      return await write()
    })
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const pause = await round().catch((error) => failed(error))
      if (!woken) await sleep(pause)
    }
  }

  /** @returns milliseconds until the next round */
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
    if (signal.aborted || error instanceof NotLeaseHolder) {
      follower.forget()
      return 0
    }
    failures += 1
    const message = problemOf(error)
    if (message !== problem) log.warn({ chainId, problem: message }, 'following the chain failed')
    problem = message
    const pause = Math.min(leastPauseMs(pollMs) * 2 ** Math.min(failures - 1, 10), maxPauseMs)
    pollAt = performance.now() + pause
    // Records are available without the chain.
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
        .catch((err) =>
          log.warn({ chainId, err }, 'releasing the lease failed; it expires by itself'),
        )
    },
  }
}
