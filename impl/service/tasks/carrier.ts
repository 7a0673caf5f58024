import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { gatewayLease } from '../store/carriers.ts'
import type { CarrierTimes, TaskDeps } from './taskDeps.ts'
import { TaskLost } from './taskErrors.ts'

/** This gateway as one of those that may carry tasks: its lease, and what it has under way. */
export type Carrier = {
  readonly id: string
  /** Whether there may be other gateways on the same database. */
  readonly shared: boolean
  /** Has a task told when it is lost to another gateway. The returned function ends it. */
  hold(id: Bytes32, lose: (error: TaskLost) => void): () => void
  /** What it has under way. */
  held(): readonly Bytes32[]
  /** Takes the lease; from then on `everyBeat` is called about once a second. */
  start(): Promise<void>
  /** Ends the beats: nothing is taken any more. */
  stop(): Promise<void>
  /** Gives up the lease: what is still held is another's to take at once. */
  close(): Promise<void>
}

const carrierTimes: CarrierTimes = { leaseMs: 5_000, beatMs: 1_000 }

/** Alone on its database, nothing can be lost or left behind by others: a beat is a sweep. */
const beatAloneMs = 10_000

/**
 * A process that stood still for longer than its lease may have lost tasks to others, who go on with
 * them: it is told so as soon as it wakes, and every write of a task that is not its own any more is
 * refused by the store.
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
      log.warn({ err }, 'a look for tasks that nobody carries failed')
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
