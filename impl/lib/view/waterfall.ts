/** Something on a time axis. Times are milliseconds of any one clock. */
export type WaterfallItem = {
  /** Unique among the items. */
  readonly id: string
  readonly start: number
  /** Absent for an event without a duration; null for work that has not ended. */
  readonly end?: number | null
  /**
   * Milliseconds: it happened at an unknown moment from `start` until then. Neither lengthens the axis, beyond which
   * it may be.
   */
  readonly within?: number
  /** The item of which this is a part. */
  readonly parent?: string
}

/** An item and where it is drawn. */
export type WaterfallRow<Item extends WaterfallItem> = {
  readonly item: Item
  /**
   * `event` is a mark, `done` a bar, `open` a bar that reaches the end of the axis. `uncertain` is where an event may
   * be; `later` is one beyond the end of the axis, where it is drawn.
   */
  readonly shape: 'event' | 'done' | 'open' | 'uncertain' | 'later'
  /** 0 for an item that is not a part of another. */
  readonly depth: number
  /** Left edge and width as parts of the axis: both and their sum are between 0 and 1. */
  readonly left: number
  readonly width: number
  /** Milliseconds after the begin of the axis. */
  readonly after: number
}

export type Waterfall<Item extends WaterfallItem> = {
  /** Where the axis begins, on the clock of the items. */
  readonly from: number
  /** Its length in milliseconds, above 0. */
  readonly span: number
  /** Round times after its begin, and where they are: a part of the axis. */
  readonly ticks: readonly { readonly after: number; readonly left: number }[]
  /** Parts below what they belong to; else by start, and in the order given where that is the same. */
  readonly rows: readonly WaterfallRow<Item>[]
}

export type WaterfallOptions = {
  /** The time until which work that has not ended is drawn; by default the last time of an item. */
  readonly now?: number
  /** Least width of a bar or mark as a part of the axis. */
  readonly least?: number
}

/** A round step that divides an axis into at most nine parts. */
function stepOf(span: number): number {
  const power = 10 ** Math.floor(Math.log10(span))
  return [0.2, 0.5, 1].map((n) => n * power).find((step) => span / step <= 9) ?? 2 * power
}

const within = (value: number, least: number, most: number) =>
  Math.min(most, Math.max(least, value))

/** A clock that is set back gives no negative duration. */
function endOf({ start, end }: WaterfallItem, now: number): number {
  return Math.max(start, end === null ? now : (end ?? start))
}

/** Parts below what they belong to. An unknown or circular parent is none. */
function inOrder<Item extends WaterfallItem>(
  items: readonly Item[],
): readonly (readonly [item: Item, depth: number])[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  const parts = new Map<Item | undefined, Item[]>()
  for (const item of items.toSorted((a, b) => a.start - b.start)) {
    const parent = item.parent === undefined ? undefined : byId.get(item.parent)
    const siblings = parts.get(parent)
    if (siblings === undefined) parts.set(parent, [item])
    else siblings.push(item)
  }
  const out: (readonly [Item, number])[] = []
  const placed = new Set<Item>()
  function place(root: Item): void {
    const left: (readonly [Item, number])[] = [[root, 0]]
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (placed.has(next[0])) continue
      placed.add(next[0])
      out.push(next)
      const depth = next[1] + 1
      for (const part of (parts.get(next[0]) ?? []).toReversed()) left.push([part, depth])
    }
  }
  for (const item of parts.get(undefined) ?? []) place(item)
  // What is left is a part of itself: the first of a circle stands for all of it.
  if (placed.size < items.length) for (const item of items) place(item)
  return out
}

/**
 * Lays out items on one time axis, for whatever draws them. Pure; rows and ticks are within the axis
 * for any finite times. Throws `RangeError` for a time that is not finite, and for an id that is there twice.
 */
export function waterfall<Item extends WaterfallItem>(
  items: readonly Item[],
  { now, least = 0.008 }: WaterfallOptions = {},
): Waterfall<Item> {
  let from = Number.POSITIVE_INFINITY
  let last = now ?? Number.NEGATIVE_INFINITY
  const ids = new Set<string>()
  const measured = items.filter(({ within }) => within === undefined)
  const ofAxis = new Set(measured.length === 0 ? items : measured)
  for (const item of items) {
    if (ids.has(item.id)) throw new RangeError(`two items have the id ${item.id}: make ids unique`)
    ids.add(item.id)
    const end = endOf(item, item.start)
    if (![item.start, end, item.within ?? 0].every(Number.isFinite))
      throw new RangeError(`item ${item.id} has a time that is not finite: use milliseconds`)
    if (!ofAxis.has(item)) continue
    from = Math.min(from, item.start)
    last = Math.max(last, end, item.start + (item.within ?? 0))
  }
  if (items.length === 0)
    return { from: now ?? 0, span: 1, ticks: [{ after: 0, left: 0 }], rows: [] }
  const span = Math.max(1, last - from)
  const step = stepOf(span)
  const ticks = Array.from({ length: Math.floor(span / step) + 1 }, (_, i) => ({
    after: i * step,
    left: within((i * step) / span, 0, 1),
  }))
  const rows = inOrder(items).map(([item, depth]): WaterfallRow<Item> => {
    const after = item.start - from
    if (item.within !== undefined) {
      const left = within(after / span, 0, 1 - least)
      const right = within((after + item.within) / span, left + least, 1)
      const shape = after > span ? 'later' : 'uncertain'
      return { item, shape, depth, left, width: right - left, after }
    }
    const width = within((endOf(item, last) - item.start) / span, least, 1)
    const shape = item.end === undefined ? 'event' : item.end === null ? 'open' : 'done'
    // One at the very end is drawn before it.
    return { item, shape, depth, left: within(after / span, 0, 1 - width), width, after }
  })
  return { from, span, ticks, rows }
}
