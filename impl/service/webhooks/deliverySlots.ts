export type DeliverySlotLimits = {
  /** Concurrent deliveries in total. */
  readonly total: number
  /** Concurrent deliveries of one key. */
  readonly perKey: number
}

export type DeliverySlots = {
  /** Number of free slots. */
  free(): number
  /** Number of free slots by key, where it is not `perKey`. */
  freeSlots(): ReadonlyMap<string, number>
  enter(key: string): void
  /** @param answered whether there was a response before the timeout */
  leave(key: string, answered: boolean): void
}

/** Maximum number of keys known as silent; beyond it, the oldest is evicted. */
const maxSilent = 10_000

/**
 * Allocates concurrent deliveries, so that a slow or dead receiver delays only its own key: a key
 * has few slots, only one while its receiver is silent, and all silent ones together have half of
 * the slots.
 */
export function createDeliverySlots({ total, perKey }: DeliverySlotLimits): DeliverySlots {
  const busy = new Map<string, number>()
  /** Keys whose last attempt got no response, in order of waiting time. */
  const silent = new Set<string>()
  let underWay = 0

  const toTheEnd = (key: string) => {
    silent.delete(key)
    silent.add(key)
  }

  return {
    free: () => total - underWay,
    freeSlots() {
      const freeSlots = new Map<string, number>()
      let silentPlaces = Math.floor(total / 2)
      for (const [key, count] of busy) {
        freeSlots.set(key, perKey - count)
        if (silent.has(key)) silentPlaces -= count
      }
      for (const key of [...silent]) {
        const room = silentPlaces > 0 && !busy.has(key) ? 1 : 0
        freeSlots.set(key, room)
        silentPlaces -= room
        // Even if it has nothing to send, so that the next one gets its turn.
        if (room > 0) toTheEnd(key)
      }
      return freeSlots
    },
    enter(key) {
      underWay += 1
      busy.set(key, (busy.get(key) ?? 0) + 1)
    },
    leave(key, answered) {
      underWay -= 1
      const left = (busy.get(key) ?? 1) - 1
      if (left > 0) busy.set(key, left)
      else busy.delete(key)
      if (answered) silent.delete(key)
      else toTheEnd(key)
      for (const oldest of silent) {
        if (silent.size <= maxSilent) break
        silent.delete(oldest)
      }
    },
  }
}
