/** A queue of items, each with an owner. */
export type FairQueue<Item> = {
  readonly size: number
  /**
   * Adds an item behind the others of its owner. When the queue is full, the newest item of the
   * owner with the most items is evicted, provided that this owner still has more than the new
   * item's owner.
   *
   * @returns whether it was added
   */
  push(owner: string, item: Item): boolean
  /**
   * The oldest acceptable item of the next owner that has one. Default: every item is acceptable.
   */
  shift(accepts?: (item: Item) => boolean): Item | undefined
  /** @returns whether the item was queued */
  remove(owner: string, item: Item): boolean
  /** Empties the queue. */
  drain(): Item[]
}

export type FairQueueOptions<Item> = {
  readonly perOwner: number
  readonly inAll: number
  readonly onEvict: (item: Item) => void
}

/**
 * Round robin over owners: an owner that floods the queue delays and displaces only its own items.
 */
export function createFairQueue<Item>(options: FairQueueOptions<Item>): FairQueue<Item> {
  const { perOwner, inAll, onEvict } = options
  /** In the order in which owners are served. */
  const owners = new Map<string, Item[]>()
  let lastServed: string | undefined
  let size = 0

  /** The owner served last comes last, even if its next item arrived when the queue was empty. */
  function* inTurn(): Iterable<string> {
    for (const owner of owners.keys()) if (owner !== lastServed) yield owner
    if (lastServed !== undefined && owners.has(lastServed)) yield lastServed
  }

  function take(owner: string, at: number): Item {
    const items = owners.get(owner) as Item[]
    const [item] = items.splice(at, 1)
    owners.delete(owner)
    if (items.length > 0) owners.set(owner, items)
    size -= 1
    lastServed = owner
    return item as Item
  }

  function longest(): Item[] {
    let most: Item[] = []
    for (const items of owners.values()) if (items.length > most.length) most = items
    return most
  }

  return {
    get size() {
      return size
    },
    push(owner, item) {
      const own = owners.get(owner) ?? []
      if (own.length >= perOwner) return false
      if (size >= inAll) {
        const most = longest()
        if (most.length <= own.length + 1) return false
        size -= 1
        onEvict(most.pop() as Item)
      }
      own.push(item)
      owners.set(owner, own)
      size += 1
      return true
    },
    shift(accepts = () => true) {
      for (const owner of inTurn()) {
        const at = (owners.get(owner) as Item[]).findIndex(accepts)
        if (at >= 0) return take(owner, at)
      }
      return undefined
    },
    remove(owner, item) {
      const items = owners.get(owner)
      const at = items?.indexOf(item) ?? -1
      if (items === undefined || at < 0) return false
      items.splice(at, 1)
      if (items.length === 0) owners.delete(owner)
      size -= 1
      return true
    },
    drain() {
      const all = [...owners.values()].flat()
      owners.clear()
      size = 0
      return all
    },
  }
}
