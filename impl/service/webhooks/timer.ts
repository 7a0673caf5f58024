import type { Clock } from 'polgate-protocol/clock.ts'

/** A timer that fires at each of the set times. */
export type Timer = {
  /** @param time milliseconds, on the clock */
  at(time: number): void
  stop(): void
}

/** Maximum number of times; beyond it, the latest are dropped. */
const maxTimes = 4_096

export function createTimer(clock: Clock, ring: () => void): Timer {
  /** Ascending. */
  let times: number[] = []
  let timer: NodeJS.Timeout | undefined

  const arm = () => {
    clearTimeout(timer)
    const [next] = times
    if (next === undefined) return
    timer = setTimeout(
      () => {
        const now = clock()
        const due = times.length
        times = times.filter((time) => time > now)
        arm()
        // Timers may fire early by a rounding error; then the timer is only set again.
        if (times.length < due) ring()
      },
      Math.min(Math.max(1, next - clock()), 2 ** 31 - 1),
    )
    timer.unref()
  }

  return {
    at(time) {
      const later = times.findIndex((each) => each >= time)
      if (times[later] === time) return
      times.splice(later < 0 ? times.length : later, 0, time)
      times.length = Math.min(times.length, maxTimes)
      if (times[0] === time) arm()
    },
    stop() {
      times = []
      clearTimeout(timer)
    },
  }
}
