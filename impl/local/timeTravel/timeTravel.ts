import type { CleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { createSerialQueue } from 'polgate-lib/async/serialQueue.ts'
import { AppError } from 'polgate-lib/errors/appError.ts'
import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import type { ChainSnapshot } from 'polgate-protocol/control/chain.ts'
import { createService, type Service } from 'polgate-service/service.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { Store } from 'polgate-service/store/openStore.ts'
import { createKeptListeners } from './keptListeners.ts'
import { leasedStore } from './leasedStore.ts'
import { createMovableClock } from './movableClock.ts'
import { createSnapshots } from './snapshots.ts'

/** A change of time that this stack cannot make. */
export class TimeTravelError extends AppError {}

/** Moves a running stack in time: chains, database, gateway, operators and explorer together. */
export type TimeTravel = {
  /** Unix milliseconds. */
  readonly now: () => number
  /** Moves ahead by whole seconds. @throws TimeTravelError with operators in processes of their own */
  advance(seconds: number): Promise<void>
  /** @returns the id of a snapshot, which exists as long as the stack runs */
  snapshot(): Promise<string>
  /** What `revert` takes, oldest first. */
  snapshots(): readonly ChainSnapshot[]
  /**
   * Restarts the service on a snapshot, which is kept; later ones are dropped.
   * @throws UnknownSnapshot
   */
  revert(id: string): Promise<void>
}

export type TravellingService = {
  readonly travel: TimeTravel
  /** The service that runs now. */
  readonly service: () => Service
}

/** Longest part of a second that block times, which are whole seconds, are ahead of a clock. */
const roundingMs = 2_000

/**
 * Starts a service that can be restarted on another state with the same addresses.
 *
 * @param stack.store is not closed with the service
 * @param stack.processes operators in processes of their own
 */
export async function startTravellingService(stack: {
  readonly config: ServiceConfigInput
  readonly parts: ServiceParts
  readonly store: Store
  readonly rpcUrls: readonly string[]
  readonly processes: readonly { stop(): Promise<void>; start(): Promise<void> }[]
  readonly cleanup: CleanupStack
}): Promise<TravellingService> {
  const { config, parts, rpcUrls, processes, cleanup } = stack
  const { database } = stack.store
  const clock = createMovableClock(rpcUrls)
  const ahead = await aheadOf(rpcUrls)
  // A persistent chain that was moved ahead stays there: its blocks cannot be earlier.
  if (ahead > roundingMs && processes.length === 0) await clock.reset(ahead)
  const listeners = createKeptListeners()
  cleanup.defer(() => listeners.close())
  const queue = createSerialQueue()
  const taken = new Map<string, ChainSnapshot & { readonly offset: number }>()
  let service: Service
  let running = false
  const start = async () => {
    clock.forgetListeners()
    service = await createService(config, {
      ...parts,
      clock: clock.now,
      onClockJump: clock.onJump,
      listener: listeners.listener,
      store: leasedStore(database, clock.now),
    })
    running = true
  }
  const stop = async () => {
    if (running) await service.close()
    running = false
  }
  cleanup.defer(() => queue.run(stop))
  await start()
  const snapshots = createSnapshots({
    database,
    rpcUrls,
    queue,
    async stop() {
      await stop()
      // They remember what they signed on the chain that is reverted.
      for (const each of processes) await each.stop()
    },
    async start(id) {
      await clock.reset(taken.get(id)?.offset)
      for (const each of processes) await each.start()
      await start()
    },
  })
  await snapshots.forgetOld()
  return {
    service: () => service,
    travel: {
      now: clock.now,
      async advance(seconds) {
        if (processes.length > 0)
          throw new TimeTravelError('operators in processes of their own have their own clocks', {
            hint: 'Start the stack without --operator-processes to move its time.',
          })
        await queue.run(() => clock.advance(seconds))
      },
      async snapshot() {
        const id = await snapshots.take()
        const block = Number(await chainRpc(rpcUrls[0]!, 'eth_blockNumber', []))
        taken.set(id, { id, at: clock.now(), block, offset: clock.offset() })
        return id
      },
      snapshots: () =>
        snapshots.ids().flatMap((id) => {
          const found = taken.get(id)
          return found === undefined ? [] : [{ id, at: found.at, block: found.block }]
        }),
      revert: (id) => snapshots.restore(id, { keep: true }),
    },
  }
}

/** By how much the latest block of a chain is ahead of real time, milliseconds. */
async function aheadOf(rpcUrls: readonly string[]): Promise<number> {
  const times = await Promise.all(
    rpcUrls.map(async (url) => {
      const block = await chainRpc(url, 'eth_getBlockByNumber', ['latest', false])
      return Number((block as { readonly timestamp: string }).timestamp) * 1_000
    }),
  )
  return Math.max(...times) - Date.now()
}
