import type { WentBack } from 'polgate-chain/chainWatch.ts'
import type { ClientContext } from 'polgate-chain/reads.ts'
import type { Brand } from 'polgate-protocol/brand.ts'
import type { Clock } from 'polgate-protocol/clock.ts'
import type { TaskResult } from 'polgate-protocol/task.ts'
import type { LocalAccount } from 'viem'
import type { Operator } from '../operators/operator.ts'
import type { PrivateUses } from '../operators/privateUses.ts'
import type { FingerprintQueries } from '../store/envelopeFingerprints.ts'
import type { Store } from '../store/openStore.ts'
import type { SecretQueries } from '../store/secrets.ts'
import type { TaskRecord } from '../store/tasks.ts'
import type { KeyHolder } from '../threshold/keyHolder.ts'
import type { PreparedTask } from './prepare.ts'
import type { Stopwatch } from './stopwatch.ts'
import type { ClientAndOperators, TaskChain } from './taskChain.ts'
import type { TaskUpdates } from './taskUpdates.ts'
import type { MinimumVersions } from './versions.ts'

/** Task events for the operator of the service; never contains a secret. */
export type TaskLog = {
  warn(fields: Record<string, unknown>, message: string): void
  info(fields: Record<string, unknown>, message: string): void
}

/** Of a gateway's lease as a worker, milliseconds. */
export type LeaseTimes = { readonly leaseMs: number; readonly heartbeatMs: number }

/** Of the posting queue, milliseconds. */
export type PostingTimes = {
  /**
   * Delay before the second attempt, the third, and so on; after the last of them posting has
   * failed.
   */
  readonly retries: readonly number[]
  readonly lease: number
  /** Interval of lease renewals. */
  readonly renew: number
  /** Interval of attempts to take the lease while another process holds it and there is work. */
  readonly elsewhere: number
  /** Poll interval on a shared database, to find postings of other processes. */
  readonly recheckMs: number
  /** Maximum delay between two attempts while the account or the node fails. */
  readonly probe: number
  readonly close: number
  /** Delay between two transactions, unless none is in flight. */
  readonly spacing: number
}

export type AroundTask = (
  admitted: {
    readonly task: PreparedTask
    readonly record: TaskRecord
    /** Not null if another process has settled the task. */
    readonly checkpoint: unknown
    /** Absent for a task of another process. */
    readonly read?: ClientAndOperators | undefined
  },
  work: () => Promise<TaskResult>,
) => Promise<TaskResult>

/** What a gateway does for operators that open private data (section 4.10): it only relays. */
export type TaskPrivateData = {
  /** Which private data the policy with a content id may use. @throws ServiceError */
  usesOf(policyCid: string, signal: AbortSignal): Promise<PrivateUses>
  /** The uploaded envelopes that a task may need. @throws ServiceError if the node does not answer */
  envelopesFor(asked: {
    readonly task: PreparedTask
    readonly client: ClientContext
    readonly uses: PrivateUses
  }): Promise<readonly string[]>
  /** The members of the shared key, in their order; absent without threshold. */
  readonly members?: { readonly needed: number; readonly holders: readonly KeyHolder[] } | undefined
}

/** The dependencies of tasks; each can be replaced. */
export type TaskDeps = {
  readonly store: Pick<
    Store,
    'tasks' | 'ownership' | 'postings' | 'gasBurners' | 'leases' | 'notifications' | 'database'
  >
  /** Unique to this run of the process: the id of the worker that executes tasks. */
  readonly gatewayId: string
  readonly secrets: Pick<SecretQueries, 'get' | 'put' | 'chainWentBack'>
  readonly fingerprints: FingerprintQueries
  readonly chain: TaskChain
  /** The operators connected to this gateway, running or not. */
  readonly operators: readonly Operator[]
  /** Absent: policies that use private data fail. */
  readonly privateData?: TaskPrivateData | undefined
  /** Signs the data of sources that list it as an attester (decision C8). */
  readonly attester: LocalAccount
  readonly minimumVersions: MinimumVersions
  /** How long the other operators may still answer once the quorum is reached, milliseconds. */
  readonly graceMs: number
  /** Whether results are posted to the task manager (decision T10). */
  readonly postOnChain: boolean
  readonly clock: Clock
  /** A UUID v4. */
  readonly uuid: () => string
  readonly stopwatch: Stopwatch
  /** Runs a task to its end, for instance as a span of a trace. */
  readonly aroundTask?: AroundTask
  /** Receives the updates of tasks (section 6). */
  readonly updates: TaskUpdates
  /** Names on the wire that appear in results: topics and methods (decision E13). */
  readonly brand: Pick<Brand, 'topicPrefix' | 'methodPrefix'>
  readonly log: TaskLog
  /** Registers a listener for blocks that leave the chain. */
  readonly onChainWentBack?: (listener: (change: Pick<WentBack, 'intactAt' | 'to'>) => void) => void
  /** Registers what to call after the clock has jumped ahead. */
  readonly onClockJump?: ((listener: () => void) => void) | undefined
  /** Overrides the default. */
  readonly leaseTimes?: LeaseTimes
  readonly postingTimes?: Partial<PostingTimes>
}
