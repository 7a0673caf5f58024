export type RunShareLimits = {
  /** Runs that compute at the same time, over all components. */
  computing: number
  /** The same for one component. */
  computingPerKey: number
  /** Runs of one component, including those that wait for a server. */
  runsPerKey: number
}

/** One run, from start to end. */
export type RunShare = {
  /** Whether the thread of the run is waiting for a slow server. */
  setAsleep(asleep: boolean): void
  end(): void
}

export type RunShares = {
  /** No run of any component may start. */
  readonly full: boolean
  /** Number of runs that wait for a slow server: their threads do not compute. */
  readonly asleep: number
  mayBegin(key: string): boolean
  begin(key: string): RunShare
}

type Count = {
  runs: number
  computing: number
}

/**
 * Decides which run may start. A run that waits for a slow server does not count as computing, and
 * no component gets all slots, so that neither a slow server nor an expensive oracle blocks the
 * others.
 */
export function createRunShares(limits: RunShareLimits): RunShares {
  const counts = new Map<string, Count>()
  let computing = 0
  let runs = 0

  return {
    get full() {
      return computing >= limits.computing
    },
    get asleep() {
      return runs - computing
    },
    mayBegin(key) {
      const own = counts.get(key) ?? { runs: 0, computing: 0 }
      return (
        computing < limits.computing &&
        own.computing < limits.computingPerKey &&
        own.runs < limits.runsPerKey
      )
    },
    begin(key) {
      const own = counts.get(key) ?? { runs: 0, computing: 0 }
      counts.set(key, own)
      own.runs += 1
      runs += 1
      let asleep = true
      let ended = false
      const setAsleep = (next: boolean) => {
        if (ended || asleep === next) return
        asleep = next
        own.computing += next ? -1 : 1
        computing += next ? -1 : 1
      }
      setAsleep(false)
      return {
        setAsleep,
        end() {
          if (ended) return
          setAsleep(true)
          ended = true
          runs -= 1
          own.runs -= 1
          if (own.runs === 0) counts.delete(key)
        },
      }
    },
  }
}
