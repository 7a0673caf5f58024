/** Delays work while the event loop is busy. */
export type EventLoopLoad = {
  /**
   * Calls back in a later iteration of the event loop: when it is quick again, or after a timeout.
   */
  next(go: () => void): void
}

export type LoopPaceOptions = {
  readonly now: () => number
  readonly nextTurn: (go: () => void) => void
  /** An iteration longer than this, milliseconds, means that the loop is overloaded. */
  readonly quickMs: number
  /** Maximum delay, milliseconds. */
  readonly mostMs: number
}

export const createEventLoopLoad = ({
  now,
  nextTurn,
  quickMs,
  mostMs,
}: LoopPaceOptions): EventLoopLoad => ({
  next(go) {
    const begin = now()
    let last = begin
    const turned = () => {
      const at = now()
      if (at - last <= quickMs || at - begin >= mostMs) return go()
      last = at
      nextTurn(turned)
    }
    // The first callback only completes the current iteration.
    nextTurn(() => {
      last = now()
      nextTurn(turned)
    })
  },
})

/** Load of the main thread's event loop. */
export const mainEventLoopLoad: EventLoopLoad = createEventLoopLoad({
  now: () => performance.now(),
  nextTurn: (go) => void setImmediate(go),
  quickMs: 10,
  mostMs: 100,
})
