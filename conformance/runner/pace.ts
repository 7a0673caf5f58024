import { availableParallelism, loadavg } from 'node:os'

/** How fast a target answers, as measured by the exchanges of the run, and how often its chain mines. */
export type Pace = {
  /** Time between two blocks of the chain, milliseconds; 0 where it mines on demand. */
  readonly blockMs: number
  readonly saw: (exchangeMs: number) => void
  /** The shortest time of an exchange so far: what every request costs at least. 0 before the first. */
  readonly latencyMs: () => number
  /** Number of runs of a property: fewer where the target's latency alone would take minutes. */
  readonly runs: (atUsualLatency: number) => number
  /**
   * How long to wait for what takes at most `usualMs` on a target that answers at once and whose chain
   * mines on demand: some blocks, 3 by default, and two answers longer.
   */
  readonly patienceMs: (usualMs: number, blocks?: number) => number
}

/** Latency at which the usual number of runs takes little time. */
const usualLatencyMs = 300
/** A property is not reduced further. */
const fewestRuns = 10
/** A transaction may just miss a block, and what it causes may need another transaction. */
const blocksToWait = 3
const answersToWait = 2

export function createPace(blockMs = 0): Pace {
  let fastest: number | undefined
  const latencyMs = () => fastest ?? 0
  return {
    blockMs,
    patienceMs: (usualMs, blocks = blocksToWait) =>
      usualMs + blocks * blockMs + answersToWait * latencyMs(),
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

/** The average of the system forgets a load within about this time. */
const averageMs = 60_000
/** The system updates it every five seconds: shorter times would show mostly noise. */
const sampleMs = 15_000

/**
 * The load of the last seconds, from the average over a minute, which follows it slowly: a machine may
 * have been overloaded for half a minute before the average shows it.
 */
export function createLoadWatch(
  average: () => number = () => loadavg()[0] ?? 0,
  now: () => number = () => performance.now(),
): { readonly sample: () => void; readonly load: () => number } {
  let last = { at: now(), average: average() }
  let recent = last.average
  return {
    sample: () => {
      const current = { at: now(), average: average() }
      const kept = Math.exp((last.at - current.at) / averageMs)
      recent = kept < 1 ? (current.average - last.average * kept) / (1 - kept) : recent
      last = current
    },
    load: () => Math.max(recent, average()),
  }
}

let ownLoad: (() => number) | undefined

function recentLoad(): number {
  if (ownLoad === undefined) {
    const watch = createLoadWatch()
    setInterval(watch.sample, sampleMs).unref()
    ownLoad = watch.load
  }
  return ownLoad()
}

/** Why a timeout on this machine proves nothing; undefined if it is not overloaded. */
export function overloaded(): string | undefined {
  const load = recentLoad()
  const processors = availableParallelism()
  return load / processors > overload
    ? `the load of this machine was ${load.toFixed(1)} on ${processors} processors`
    : undefined
}
