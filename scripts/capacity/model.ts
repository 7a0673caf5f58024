import { type Random, seededRandom } from '../soak/random.ts'
import type { Assumptions } from './assumptions.ts'
import type { Costs } from './costs.ts'
import { callsOf, demandOf, type Machines, type Workload } from './deployment.ts'
import { constant, exponential, type Times } from './distributions.ts'
import { createGroupCommit } from './groupCommit.ts'
import { createPool, type Pool } from './pool.ts'
import { createSimulation, type Simulation } from './simulation.ts'
import { createStation } from './station.ts'

export type ModelOptions = {
  readonly costs: Costs
  readonly assumptions: Assumptions
  readonly workload: Workload
  readonly machines: Machines
  readonly tasks: number
  readonly seed: number
  /** CPU times: exponential (default) or constant. */
  readonly times?: 'exponential' | 'constant' | undefined
}

export type ModelResult = {
  /** Milliseconds from the request to the response of `createTask`. */
  readonly p50: number
  readonly p99: number
  readonly mean: number
  /** Mean wait of a job in the queue of each kind, milliseconds. */
  readonly waits: Readonly<Record<keyof Machines, number>>
  /** Commits of one flush. */
  readonly commitsPerFlush: number
}

/** Awaited writes of a task; a fourth is in the background, with those of posting and indexer. */
const writes = 4

/** Simulates the way of tasks from the balancer to the response. */
export function simulate(options: ModelOptions): ModelResult {
  const { workload, costs, assumptions: given, machines, tasks, seed } = options
  const simulation = createSimulation()
  const random = seededRandom(seed)
  const times = options.times === 'constant' ? constant : exponential(random)
  const demand = demandOf(costs, workload, given)
  const calls = callsOf(workload)
  const needed = Math.ceil(workload.operators * given.quorum)
  const pool = (processes: number) => createPool(simulation, processes)
  const balancers = pool(machines.balancers)
  const gateways = pool(machines.gateways)
  const subAggregators = workload.topology === 'flat' ? undefined : pool(machines.subAggregators)
  const operators = Array.from({ length: workload.operators }, () =>
    pool(machines.operatorProcesses),
  )
  const partitions = createPartitions(simulation, {
    ...{ count: machines.partitions, cores: given.partitionCores, times, random },
    flush: costs.postgres.flush,
  })
  const indexers = pool(machines.indexers)
  const latencies: number[] = []

  /** One round of requests to the operators; ends when those that responded are a quorum. */
  function round(cpu: number, done: () => void): void {
    let answered = 0
    let first = 0
    const answer = (count: number) => {
      const before = answered
      answered += count
      if (before < needed && answered >= needed) done()
    }
    for (const size of calls) {
      const from = first
      first += size
      const end = first
      const ask = (at: number, responded: () => void) =>
        simulation.after(given.operatorMs / 2, () =>
          operators[at]!.choose().serve(times(cpu), () =>
            simulation.after(given.operatorMs / 2, responded),
          ),
        )
      if (subAggregators === undefined) ask(from, () => answer(1))
      else {
        // It waits for its part of the quorum, and then verifies and sums.
        const part = Math.ceil(size * given.quorum)
        let here = 0
        simulation.after(given.siteMs / 2, () => {
          for (let at = from; at < end; at++)
            ask(at, () => {
              here += 1
              if (here !== part) return
              subAggregators
                .choose()
                .serve(times(demand.subAggregators), () =>
                  simulation.after(given.siteMs / 2, () => answer(part)),
                )
            })
        })
      }
    }
  }

  function task(): void {
    const began = simulation.now
    const gateway = { current: gateways.choose() }
    const partition = partitions.choose()
    const cpu = demand.partitions / writes
    const phases = workload.withOracle ? 3 : 2
    const compute = (done: () => void) =>
      gateway.current.serve(times(demand.gateways / phases), done)
    const write = (done: () => void) =>
      simulation.after(given.siteMs, () => partition.write(cpu, done))
    const { oracle } = costs.operator
    const evaluate = demand.operatorProcesses - (workload.withOracle ? oracle : 0)
    const settle = (done: () => void) => {
      if (!workload.withOracle) return write(done)
      round(oracle, () => compute(() => write(done)))
    }
    balancers.choose().serve(times(demand.balancers), () =>
      compute(() =>
        write(() =>
          settle(() =>
            round(evaluate, () =>
              compute(() =>
                write(() => {
                  latencies.push(simulation.now - began)
                  partition.write(cpu, () =>
                    indexers.choose().serve(times(demand.indexers), () => {}),
                  )
                }),
              ),
            ),
          ),
        ),
      ),
    )
  }

  const between = exponential(seededRandom(seed + 1))
  let arrived = 0
  function arrive(): void {
    task()
    arrived += 1
    if (arrived < tasks) simulation.after(between(1000 / workload.rate), arrive)
  }
  simulation.after(between(1000 / workload.rate), arrive)
  simulation.run()

  // The first tenth finds empty queues.
  const sorted = latencies.slice(Math.floor(tasks / 10)).sort((a, b) => a - b)
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!
  const wait = (all: readonly Pool[]) =>
    all.reduce((sum, each) => sum + each.figures().meanWait, 0) / Math.max(1, all.length)
  return {
    p50: at(0.5),
    p99: at(0.99),
    mean: sorted.reduce((sum, each) => sum + each, 0) / sorted.length,
    waits: {
      balancers: wait([balancers]),
      gateways: wait([gateways]),
      operatorProcesses: wait(operators),
      subAggregators: wait(subAggregators === undefined ? [] : [subAggregators]),
      partitions: partitions.meanWait(),
      indexers: wait([indexers]),
    },
    commitsPerFlush: partitions.commitsPerFlush(),
  }
}

/** PostgreSQL servers: a write takes a core, and then a flush of the log that others share. */
function createPartitions(
  simulation: Simulation,
  options: {
    readonly count: number
    readonly cores: number
    readonly flush: number
    readonly times: Times
    readonly random: Random
  },
) {
  const { count, cores, flush, times, random } = options
  const all = Array.from({ length: count }, () => {
    const station = createStation(simulation, cores)
    const log = createGroupCommit(simulation, flush)
    const write = (cpu: number, done: () => void) =>
      station.serve(times(cpu), () => log.commit(done))
    return { station, log, write }
  })
  const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0)
  return {
    /** By client: not the one with the least work. */
    choose: () => random.pick(all),
    meanWait: () =>
      sum(all.map(({ station }) => station.figures().waited)) /
      Math.max(1, sum(all.map(({ station }) => station.figures().completed))),
    commitsPerFlush: () =>
      sum(all.map(({ log }) => log.commits)) / Math.max(1, sum(all.map(({ log }) => log.flushes))),
  }
}
