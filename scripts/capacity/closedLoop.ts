import { seededRandom } from '../soak/random.ts'
import type { Costs, MeasuredCluster } from './costs.ts'
import { exponential } from './distributions.ts'
import { createGroupCommit } from './groupCommit.ts'
import { createPool } from './pool.ts'
import { createSimulation } from './simulation.ts'
import { createStation, type Station } from './station.ts'

export type Prediction = { readonly perSecond: number; readonly p50: number }

/**
 * The deployment of `bench:cluster`: all processes on the cores of one machine, and callers that
 * send their next task after the response. The cores are as slow as those that the deployment got.
 */
export function predictCluster(
  costs: Costs,
  given: Pick<MeasuredCluster, 'gateways' | 'operators' | 'coresUsed' | 'coresIdle'>,
  options: { readonly callers: number; readonly tasks: number; readonly seed: number },
): Prediction {
  const simulation = createSimulation()
  const { cores } = costs.machine
  const host = createStation(simulation, cores)
  const times = exponential(seededRandom(options.seed))
  const slowdown = cores / (given.coresUsed - given.coresIdle)
  const compute = (process: Station, ms: number, done: () => void) =>
    process.hold((end) => host.serve(times(ms * slowdown), end), done)
  const pool = (count: number) => createPool(simulation, count)
  const [gateways, load, chain, indexer] = [pool(given.gateways), pool(1), pool(1), pool(1)]
  const operators = Array.from({ length: given.operators }, () => createStation(simulation, 1))
  const postgres = createStation(simulation, 1_000)
  const log = createGroupCommit(simulation, costs.postgres.flush)
  const gatewayMs = costs.gateway.perTask + costs.gateway.perOperator * given.operators
  const { perTask, perTaskOfIndexer } = costs.postgres
  const write = (done: () => void) => compute(postgres, perTask / 4, () => log.commit(done))
  const latencies: number[] = []

  function caller(): void {
    const began = simulation.now
    const gateway = gateways.choose()
    const evaluate = (done: () => void) => {
      let answered = 0
      for (const operator of operators)
        compute(operator, costs.operator.perTask, () => {
          answered += 1
          if (answered === operators.length) done()
        })
    }
    compute(load.choose(), costs.load.perTask, () =>
      compute(gateway, gatewayMs / 2, () =>
        write(() =>
          write(() =>
            evaluate(() =>
              compute(gateway, gatewayMs / 2, () =>
                write(() => {
                  latencies.push(simulation.now - began)
                  compute(chain.choose(), costs.chain.perTask, () => {})
                  compute(indexer.choose(), costs.indexer.perTask, () => {})
                  compute(postgres, perTask / 4 + perTaskOfIndexer, () => {})
                  if (latencies.length < options.tasks) caller()
                }),
              ),
            ),
          ),
        ),
      ),
    )
  }

  for (let at = 0; at < options.callers; at++) caller()
  simulation.run()
  const sorted = [...latencies].sort((a, b) => a - b)
  return {
    perSecond: (latencies.length * 1000) / simulation.now,
    p50: sorted[Math.floor(sorted.length / 2)]!,
  }
}
