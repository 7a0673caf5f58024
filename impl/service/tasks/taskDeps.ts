import type { Brand } from 'polgate-protocol/brand.ts'
import type { Clock } from 'polgate-protocol/clock.ts'
import type { LocalAccount } from 'viem'
import type { Operator } from '../operators/operator.ts'
import type { Store } from '../store/openStore.ts'
import type { SecretQueries } from '../store/secrets.ts'
import type { Stopwatch } from './stopwatch.ts'
import type { TaskChain } from './taskChain.ts'
import type { TaskUpdates } from './taskUpdates.ts'
import type { MinimumVersions } from './versions.ts'

/** What can be told of a task to whoever runs the service; never a secret. */
export type TaskLog = {
  warn(fields: Record<string, unknown>, message: string): void
  info(fields: Record<string, unknown>, message: string): void
}

/** Of the lease under which a gateway carries tasks, milliseconds. */
export type CarrierTimes = { readonly leaseMs: number; readonly beatMs: number }

/** Of the queue of postings, milliseconds. */
export type PostingTimes = {
  /** Until the second attempt, the third, and so on; after the last of them it has failed. */
  readonly retries: readonly number[]
  readonly lease: number
  /** How soon after it was renewed it is renewed again. */
  readonly renew: number
  /** Until the lease is asked for again, while another holds it and there is work. */
  readonly elsewhere: number
  /** On a shared database: what another process has left is found after this time at the latest. */
  readonly lookAgain: number
  /** At most, between two tries while the account or the node is in trouble. */
  readonly probe: number
  readonly close: number
}

/** Everything that tasks are made with; each part can be replaced. */
export type TaskDeps = {
  readonly store: Pick<
    Store,
    'tasks' | 'carriers' | 'postings' | 'leases' | 'notifications' | 'database'
  >
  /** Of this process and no other, nor of an earlier one: tasks are carried under it. */
  readonly gatewayId: string
  readonly secrets: Pick<SecretQueries, 'get' | 'put'>
  readonly chain: TaskChain
  /** Those connected to this gateway, running or not. */
  readonly operators: readonly Operator[]
  /** Signs the data of sources that list it as an attester (decision C8). */
  readonly attester: LocalAccount
  readonly minimumVersions: MinimumVersions
  /** How long operators may still answer once those who did hold the quorum, milliseconds. */
  readonly graceMs: number
  /** Whether results are posted to the task manager (decision T10). */
  readonly postOnChain: boolean
  readonly clock: Clock
  /** A UUID v4. */
  readonly uuid: () => string
  readonly stopwatch: Stopwatch
  /** Where the news of tasks goes (section 6). */
  readonly updates: TaskUpdates
  /** Names on the wire that answers repeat: topics and methods (decision E13). */
  readonly brand: Pick<Brand, 'topicPrefix' | 'methodPrefix'>
  readonly log: TaskLog
  /** Has told whenever blocks leave the chain. */
  readonly onChainWentBack?: (listener: () => void) => void
  /** Where they are to be other than usual. */
  readonly carrierTimes?: CarrierTimes
  readonly postingTimes?: Partial<PostingTimes>
}
