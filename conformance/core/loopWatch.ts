/** A time in which the event loop handled no event: `performance.now()` times. */
type Stall = { readonly from: number; to: number }

/** When the event loop of this thread was busy, or the process got no processor. */
export type LoopWatch = {
  /**
   * By how many milliseconds an event may have reached the process earlier than at the time that was
   * noted when it was handled.
   */
  readonly lateBy: (at: number) => number
  /** Milliseconds of all stalls of at least `leastMs` that touch this time. */
  readonly stalled: (from: number, to: number, leastMs?: number) => number
}

/** How often it is looked whether the loop runs; shorter stalls go unnoticed. */
export const tickMs = 20
/** Timers are this late without a reason. */
const usualMs = 10
/**
 * What waited during a stall is handled over several turns of the loop, each of which may be late without
 * being a stall: for this time after one, or for this part of a long one.
 */
const catchUp = { ms: 50, part: 0.1 }
/** Stalls that are remembered: those of a long check on a busy machine. */
const most = 5_000

/** The clock of the process: where a test replaces it for a while, the watch would see a stall. */
const ownClock = performance.now.bind(performance)

/** A watch, and what tells it that the loop ran, every `tickMs` if it is on time. */
export function createLoopWatch(now: () => number = ownClock): LoopWatch & {
  readonly tick: () => void
} {
  const stalls: Stall[] = []
  let last = now()
  // A check may ask before the tick that notices a stall: until then the loop may have stalled.
  const known = (): readonly Stall[] => {
    const current = now()
    return current - last > tickMs + usualMs ? [...stalls, { from: last, to: current }] : stalls
  }
  return {
    tick: () => {
      const current = now()
      if (current - last > tickMs + usualMs) {
        const before = stalls.at(-1)
        // What waited during a stall is handled one event after another, which may stall again.
        if (before !== undefined && before.to >= last) before.to = current
        else stalls.push({ from: last, to: current })
        if (stalls.length > most) stalls.shift()
      }
      last = current
    },
    lateBy: (at) => {
      const around = known().findLast(
        ({ from, to }) => from <= at && at <= to + Math.max(catchUp.ms, (to - from) * catchUp.part),
      )
      return around === undefined ? 0 : at - around.from
    },
    stalled: (from, to, leastMs = 0) =>
      known()
        .filter((stall) => stall.from <= to && stall.to >= from && stall.to - stall.from >= leastMs)
        .reduce((sum, stall) => sum + stall.to - stall.from, 0),
  }
}

let ownLoop: LoopWatch | undefined

/** The watch over the loop of this thread, which starts with its first use and keeps no process alive. */
export function loopWatch(): LoopWatch {
  if (ownLoop === undefined) {
    const watch = createLoopWatch()
    setInterval(watch.tick, tickMs).unref()
    ownLoop = watch
  }
  return ownLoop
}
