import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { gatewayLease } from '../store/carriers.ts'
import type { CarrierTimes, TaskDeps } from './taskDeps.ts'
import { TaskLost } from './taskErrors.ts'

/** The lease of this gateway as a worker, and the tasks that it executes. */
export type Carrier = {
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
  /** Takes the lease; from then on `everyBeat` is called about once a second. */
  start(): Promise<void>
  /** Stops the heartbeat: no further tasks are taken over. */
  stop(): Promise<void>
  /** Releases the lease: other gateways may take over the remaining tasks immediately. */
  close(): Promise<void>
}

const carrierTimes: CarrierTimes = { leaseMs: 5_000, beatMs: 1_000 }

/**
 * On an embedded database there are no other workers: the heartbeat only sweeps for unfinished
 * tasks.
 */
const beatAloneMs = 10_000

/**
 * A process that was suspended for longer than its lease may have lost tasks to other gateways. It
 * detects this on its next heartbeat, and the store rejects every write to a task that it no longer
 * owns.
 */
export function createCarrier(
  deps: Pick<TaskDeps, 'store' | 'gatewayId' | 'log' | 'carrierTimes'>,
  everyBeat: () => Promise<unknown>,
): Carrier {
  const { store, gatewayId: id, log } = deps
  const { leaseMs, beatMs } = deps.carrierTimes ?? carrierTimes
  const shared = store.database.engine === 'server'
  const held = new Map<Bytes32, (error: TaskLost) => void>()
  let renewedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> | undefined
  let closed = false

  async function renew(): Promise<void> {
    const begin = performance.now()
    await store.leases.take(gatewayLease(id), id, leaseMs)
    const missed = begin - renewedAt > leaseMs
    renewedAt = begin
    if (!missed || held.size === 0) return
    for (const lost of await store.carriers.lost([...held.keys()], id)) {
      held.get(lost)?.(new TaskLost(lost))
    }
  }

  async function beat(): Promise<void> {
    try {
      if (shared) await renew()
      await everyBeat()
    } catch (err) {
      log.warn({ err }, 'check for orphaned tasks failed')
    }
    if (closed) return
    timer = setTimeout(again, shared ? beatMs : beatAloneMs)
    timer.unref()
  }
  const again = () => {
    beating = beat()
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
      await beating
    },
    async stop() {
      closed = true
      clearTimeout(timer)
      await beating
    },
    async close() {
      if (shared) await store.leases.release(gatewayLease(id), id)
    },
  }
}
