import type { Clock } from '../protocol/clock.ts'

/** Wakes once, at the earliest of the times it was told. */
export type Alarm = {
  /** @param time milliseconds, on the clock; infinity is never */
  at(time: number): void
  stop(): void
}

export function createAlarm(clock: Clock, ring: () => void): Alarm {
  let timer: NodeJS.Timeout | undefined
  let set = Number.POSITIVE_INFINITY
  const stop = () => {
    clearTimeout(timer)
    set = Number.POSITIVE_INFINITY
  }
  return {
    at(time) {
      if (time >= set) return
      stop()
      set = time
      timer = setTimeout(
        () => {
          set = Number.POSITIVE_INFINITY
          ring()
        },
        Math.min(Math.max(1, time - clock()), 2 ** 31 - 1),
      )
      timer.unref()
    },
    stop,
  }
}
