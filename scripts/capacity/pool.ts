import type { Simulation } from './simulation.ts'
import { createStation, type Station } from './station.ts'

/** Processes of one kind behind a balancer. */
export type Pool = {
  /** The process with the fewest jobs; of several, the first after the one chosen before. */
  choose(): Station
  /** Milliseconds of service, and the mean wait of a job. */
  figures(): { readonly busy: number; readonly meanWait: number }
}

/** Each process serves one job at a time. */
export function createPool(simulation: Simulation, processes: number): Pool {
  const stations = Array.from({ length: processes }, () => createStation(simulation, 1))
  let next = 0
  return {
    choose() {
      let best = next % processes
      for (let step = 0; step < processes && stations[best]!.size > 0; step++) {
        const at = (next + step) % processes
        if (stations[at]!.size < stations[best]!.size) best = at
      }
      next = best + 1
      return stations[best]!
    },
    figures() {
      const all = stations.map((station) => station.figures())
      const sum = (of: 'busy' | 'waited' | 'completed') =>
        all.reduce((total, each) => total + each[of], 0)
      return { busy: sum('busy'), meanWait: sum('waited') / Math.max(1, sum('completed')) }
    },
  }
}
