import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { gatewayLease } from '../store/taskOwnership.ts'
import type { LeaseTimes, TaskDeps } from './taskDeps.ts'
import { TaskLost } from './taskErrors.ts'

/** The lease of this gateway as a worker, and the tasks that it executes. */
export type WorkerLease = {
  readonly id: string
  /** Whether other gateways may use the same database. */
  readonly shared: boolean
  /**
   * Registers a task; `lose` is called if another gateway takes it over. Returns a function to
   * unregister.
   */
  hold(id: Bytes32, lose: (error: TaskLost) => void): () => void
  /** The registered tasks. */
  held(): readonly Bytes32[]
  /** Takes the lease; from then on `onHeartbeat` is called about once a second. */
  start(): Promise<void>
  /** Stops the heartbeat: no further tasks are taken over. */
  stop(): Promise<void>
  /** Releases the lease: other gateways may take over the remaining tasks immediately. */
  close(): Promise<void>
}

const leaseTimes: LeaseTimes = { leaseMs: 5_000, heartbeatMs: 1_000 }

/**
 * On an embedded database there are no other workers: the heartbeat only sweeps for unfinished
 * tasks.
 */
const soloHeartbeatMs = 10_000

/**
 * A process that was suspended for longer than its lease may have lost tasks to other gateways. It
 * detects this on its next heartbeat, and the store rejects every write to a task that it no longer
 * owns.
 */
export function createWorkerLease(
  deps: Pick<TaskDeps, 'store' | 'gatewayId' | 'log' | 'leaseTimes'>,
  onHeartbeat: () => Promise<unknown>,
): WorkerLease {
  const { store, gatewayId: id, log } = deps
  const { leaseMs, heartbeatMs } = deps.leaseTimes ?? leaseTimes
  const shared = store.database.engine === 'server'
  const held = new Map<Bytes32, (error: TaskLost) => void>()
  let renewedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let heartbeating: Promise<void> | undefined
  let closed = false

  async function renew(): Promise<void> {
    const begin = performance.now()
    await store.leases.take(gatewayLease(id), id, leaseMs)
    const missed = begin - renewedAt > leaseMs
    renewedAt = begin
    if (!missed || held.size === 0) return
    for (const lost of await store.ownership.lost([...held.keys()], id)) {
      held.get(lost)?.(new TaskLost(lost))
    }
  }

  async function heartbeat(): Promise<void> {
    try {
      if (shared) await renew()
      await onHeartbeat()
    } catch (err) {
      log.warn({ err }, 'check for orphaned tasks failed')
    }
    if (closed) return
    timer = setTimeout(again, shared ? heartbeatMs : soloHeartbeatMs)
    timer.unref()
  }
  const again = () => {
    heartbeating = heartbeat()
  }

  return {
    id,
    shared,
    hold(taskId, lose) {
      held.set(taskId, lose)
      return () => void held.delete(taskId)
    },
    held: () => [...held.keys()],
    async start() {
      if (shared) await renew()
      again()
      await heartbeating
    },
    async stop() {
      closed = true
      clearTimeout(timer)
      await heartbeating
    },
    async close() {
      if (shared) await store.leases.release(gatewayLease(id), id)
    },
  }
}
