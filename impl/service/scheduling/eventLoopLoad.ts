import { createThreadClock } from './threadTime.mjs'

/** Delays work while the event loop is busy. */
export type EventLoopLoad = {
  /**
   * Calls back in a later iteration of the event loop: when it is quick again, or after a timeout.
   */
  next(go: () => void): void
}

export type LoopPaceOptions = {
  readonly now: () => number
  /** CPU time of the thread of the loop, milliseconds. */
  readonly cpu: () => number
  readonly nextTurn: (go: () => void) => void
  /** An iteration that computes for longer than this, milliseconds, means overload. */
  readonly quickMs: number
  /** Maximum delay, milliseconds. */
  readonly mostMs: number
}

/**
 * Only the CPU time of the loop's own thread counts. Waiting helps against work of this process; on
 * a machine that others keep busy every iteration is long, and waiting would only lose throughput.
 */
export const createEventLoopLoad = ({
  now,
  cpu,
  nextTurn,
  quickMs,
  mostMs,
}: LoopPaceOptions): EventLoopLoad => ({
  next(go) {
    const begin = now()
    let last = begin
    let computed = 0
    const turned = () => {
      const at = now()
      if (at - last <= quickMs || at - begin >= mostMs) return go()
      const used = cpu()
      if (used - computed <= quickMs) return go()
      last = at
      computed = used
      nextTurn(turned)
    }
    // The first callback only completes the current iteration.
    nextTurn(() => {
      last = now()
      computed = cpu()
      nextTurn(turned)
    })
  },
})

/** Load of the main thread's event loop. */
export const mainEventLoopLoad: EventLoopLoad = createEventLoopLoad({
  now: () => performance.now(),
  cpu: createThreadClock(),
  nextTurn: (go) => void setImmediate(go),
  quickMs: 10,
  mostMs: 100,
})
