/** One subscription of one connection. */
export type Subscription = { stop: () => void; over: boolean }

/**
 * The subscriptions of one connection, by id. Those of ended tasks do not count; they are kept
 * while notifications may follow, and dropped first. An id shows that it was assigned here, so that
 * unsubscribing from an ended task works without remembering it.
 */
export function createSubscriptions(limit: number, prefix: string) {
  const byId = new Map<string, Subscription>()
  let given = 0
  let live = 0

  const remove = (id: string) => {
    const subscription = byId.get(id)
    if (subscription === undefined) return
    byId.delete(id)
    if (!subscription.over) live -= 1
    subscription.stop()
  }

  return {
    isFull: () => live >= limit,
    add(stop: () => void): string {
      given += 1
      const id = `${prefix}-${given}`
      byId.set(id, { stop, over: false })
      live += 1
      if (byId.size > 2 * limit) {
        for (const [oldest, { over }] of byId) {
          if (!over) continue
          remove(oldest)
          break
        }
      }
      return id
    },
    /** The task has ended: the subscription no longer counts. */
    end(id: string) {
      const subscription = byId.get(id)
      if (subscription === undefined || subscription.over) return
      subscription.over = true
      live -= 1
    },
    remove,
    /** Whether this connection ever assigned the id. */
    wasGiven(id: string): boolean {
      const number = id.startsWith(`${prefix}-`) ? id.slice(prefix.length + 1) : ''
      return /^[1-9][0-9]{0,15}$/.test(number) && Number(number) <= given
    },
    size: () => byId.size,
    clear() {
      for (const id of [...byId.keys()]) remove(id)
    },
  }
}
