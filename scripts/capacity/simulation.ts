/** A discrete-event simulation: a clock and the actions that are due at later times. */
export type Simulation = {
  /** Milliseconds since the start. */
  readonly now: number
  /** Runs the action after a time; those of the same time in the order of their scheduling. */
  after(delay: number, action: () => void): void
  /** Runs all actions up to this time, or until none is left. */
  run(until?: number): void
}

type Event = { readonly at: number; readonly number: number; readonly action: () => void }

const isBefore = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.number < b.number)

export function createSimulation(): Simulation {
  /** A binary heap: each event is before those at twice its position and the next one. */
  const heap: Event[] = []
  let now = 0
  let scheduled = 0

  function push(event: Event): void {
    let at = heap.length
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(event, heap[parent]!)) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = event
  }
  function pop(): Event {
    const [first] = heap
    const last = heap.pop()!
    if (heap.length > 0) {
      let at = 0
      for (;;) {
        let child = 2 * at + 1
        if (child >= heap.length) break
        if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1
        if (!isBefore(heap[child]!, last)) break
        heap[at] = heap[child]!
        at = child
      }
      heap[at] = last
    }
    return first!
  }

  return {
    get now() {
      return now
    },
    after(delay, action) {
      if (!(delay >= 0)) throw new RangeError(`a delay must not be negative: ${delay}`)
      push({ at: now + delay, number: scheduled, action })
      scheduled += 1
    },
    run(until = Number.POSITIVE_INFINITY) {
      while (heap.length > 0 && heap[0]!.at <= until) {
        const { at, action } = pop()
        now = at
        action()
      }
      if (Number.isFinite(until)) now = Math.max(now, until)
    },
  }
}
