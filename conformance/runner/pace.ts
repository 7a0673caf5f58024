import { availableParallelism, loadavg } from 'node:os'

/** How fast a target answers, as measured by the exchanges of the run. */
export type Pace = {
  readonly saw: (exchangeMs: number) => void
  /** The shortest time of an exchange so far: what every request costs at least. 0 before the first. */
  readonly latencyMs: () => number
  /** Number of runs of a property: fewer where the target's latency alone would take minutes. */
  readonly runs: (atUsualLatency: number) => number
}

/** Latency at which the usual number of runs takes little time. */
const usualLatencyMs = 300
/** A property is not reduced further. */
const fewestRuns = 10

export function createPace(): Pace {
  let fastest: number | undefined
  const latencyMs = () => fastest ?? 0
  return {
    saw: (ms) => {
      fastest = Math.min(fastest ?? ms, ms)
    },
    latencyMs,
    runs: (count) =>
      latencyMs() <= usualLatencyMs
        ? count
        : Math.min(count, Math.max(fewestRuns, Math.round((count * usualLatencyMs) / latencyMs()))),
  }
}

/** Above this many runnable processes for each processor, a timeout says nothing of the target. */
const overload = 3

/** Processes that ran or waited for a processor, on average over the last minute, one decimal. */
export const machineLoad = (): number => Math.round((loadavg()[0] ?? 0) * 10) / 10

/** Why a timeout on this machine proves nothing; undefined if it is not overloaded. */
export function overloaded(): string | undefined {
  const [load = 0] = loadavg()
  const processors = availableParallelism()
  return load / processors > overload
    ? `the load of this machine was ${load.toFixed(1)} on ${processors} processors`
    : undefined
}
