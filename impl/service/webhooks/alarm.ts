import type { Clock } from 'polgate-protocol/clock.ts'

/** Rings at each of the times it was told. */
export type Alarm = {
  /** @param time milliseconds, on the clock */
  at(time: number): void
  stop(): void
}

/** Times kept; of more, the latest are forgotten. */
const maxTimes = 4_096

export function createAlarm(clock: Clock, ring: () => void): Alarm {
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
        // A timer may be early by a rounding, and then it has only been set again.
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
