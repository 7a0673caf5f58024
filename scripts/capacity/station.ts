import type { Simulation } from './simulation.ts'

export type StationFigures = {
  readonly completed: number
  /** Milliseconds of service, of all servers together. */
  readonly busy: number
  /** Sum over all completed jobs, milliseconds. */
  readonly waited: number
  readonly stayed: number
  /** Integral of the number of jobs in the station over time, milliseconds. */
  readonly area: number
}

/** Servers with one queue, first come first served. */
export type Station = {
  /** Jobs that wait or are served. */
  readonly size: number
  /** Serves a job for a time, then calls `done`. */
  serve(time: number, done: () => void): void
  /** The same for work that ends when it says so, such as service by another station. */
  hold(work: (end: () => void) => void, done: () => void): void
  figures(): StationFigures
}

export function createStation(simulation: Simulation, servers: number): Station {
  if (!(servers >= 1)) throw new RangeError(`a station needs a server: ${servers}`)
  type Job = {
    readonly arrived: number
    readonly work: (end: () => void) => void
    readonly done: () => void
  }
  let waiting: Job[] = []
  /** Position of the first that waits. */
  let first = 0
  let serving = 0
  let size = 0
  let completed = 0
  let busy = 0
  let waited = 0
  let stayed = 0
  let area = 0
  let changed = 0

  function change(by: number): void {
    area += size * (simulation.now - changed)
    changed = simulation.now
    size += by
  }
  function begin(job: Job): void {
    serving += 1
    const began = simulation.now
    job.work(() => {
      serving -= 1
      change(-1)
      completed += 1
      busy += simulation.now - began
      waited += began - job.arrived
      stayed += simulation.now - job.arrived
      const next = waiting[first]
      if (next !== undefined) {
        first += 1
        if (first > 1_000 && first * 2 > waiting.length) {
          waiting = waiting.slice(first)
          first = 0
        }
        begin(next)
      }
      job.done()
    })
  }
  function hold(work: Job['work'], done: () => void): void {
    change(1)
    const job = { arrived: simulation.now, work, done }
    if (serving < servers) begin(job)
    else waiting.push(job)
  }

  return {
    get size() {
      return size
    },
    hold,
    serve(time, done) {
      hold((end) => simulation.after(time, end), done)
    },
    figures() {
      change(0)
      return { completed, busy, waited, stayed, area }
    },
  }
}
