export type LaneLimits = {
  /** Deliveries under way at a time. */
  readonly total: number
  /** Of one key. */
  readonly perKey: number
}

export type Lanes = {
  /** How many more may begin. */
  free(): number
  /** How many of a key may begin, where it is not `perKey`. */
  rooms(): ReadonlyMap<string, number>
  enter(key: string): void
  /** @param answered whether a status came before the timeout */
  leave(key: string, answered: boolean): void
}

/** Keys remembered as silent; past that the oldest is forgotten, and found out again. */
const maxSilent = 10_000

/**
 * Shares out the deliveries that may be under way, so that a receiver that is slow or dead delays
 * its own key only: a key has few places, one while its receiver is silent, and all silent ones
 * together have half of the places.
 */
export function createLanes({ total, perKey }: LaneLimits): Lanes {
  const busy = new Map<string, number>()
  /** Keys whose last attempt got no answer, the one that waited longest first. */
  const silent = new Set<string>()
  let underWay = 0

  const toTheEnd = (key: string) => {
    silent.delete(key)
    silent.add(key)
  }

  return {
    free: () => total - underWay,
    rooms() {
      const rooms = new Map<string, number>()
      let silentPlaces = Math.floor(total / 2)
      for (const [key, count] of busy) {
        rooms.set(key, perKey - count)
        if (silent.has(key)) silentPlaces -= count
      }
      for (const key of [...silent]) {
        const room = silentPlaces > 0 && !busy.has(key) ? 1 : 0
        rooms.set(key, room)
        silentPlaces -= room
        // Whether or not it has something to send: the next one shall have its turn.
        if (room > 0) toTheEnd(key)
      }
      return rooms
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
