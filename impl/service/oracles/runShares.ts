export type RunShareLimits = {
  /** Runs that compute at the same time, of all components. */
  computing: number
  /** Of these, of one component. */
  computingPerKey: number
  /** Runs of one component, those that wait for the outside world included. */
  runsPerKey: number
}

/** One run, from its begin to its end. */
export type RunShare = {
  /** Its thread sleeps while somebody outside takes long to answer, or works again. */
  setAsleep(asleep: boolean): void
  end(): void
}

export type RunShares = {
  /** No run may begin, of whichever component. */
  readonly full: boolean
  /** Runs that wait for a slow host: their threads are not at work. */
  readonly asleep: number
  mayBegin(key: string): boolean
  begin(key: string): RunShare
}

type Count = {
  runs: number
  computing: number
}

/**
 * Says which run may begin. A run that waits for a slow host takes no share of what is computed, and
 * no component takes all, so that neither a slow host nor a greedy oracle holds up the others.
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
