import { describe, expect, it } from 'vitest'
import { assumptions } from './assumptions.ts'
import { predictCluster } from './closedLoop.ts'
import { costsFile, readCosts } from './costs.ts'
import { callsOf, type Machines, type Workload } from './deployment.ts'
import { simulate } from './model.ts'
import { findPlan, leastByUtilisation } from './search.ts'

const costs = readCosts(costsFile)
const workload: Workload = {
  ...{ rate: 500, operators: 4, topology: 'flat', fanOut: 2, withOracle: false },
}
const search = { costs, assumptions, workload, maxUtilisation: 0.7 }
const least = leastByUtilisation(search)
const given = { costs, assumptions, workload, machines: least, tasks: 4_000, seed: 1 }

describe('the model', () => {
  it('gives the same result for the same seed, and another for another', () => {
    expect(simulate(given)).toEqual(simulate(given))
    expect(simulate({ ...given, seed: 2 })).not.toEqual(simulate(given))
  })

  it.each(Object.keys(least) as (keyof Machines)[])('is no slower with more %s', (kind) => {
    const machines = { ...least, [kind]: Math.max(1, least[kind]) * 2 }
    for (const seed of [1, 2, 3]) {
      const [few, many] = [simulate({ ...given, seed }), simulate({ ...given, seed, machines })]
      // Tasks overtake each other and get other random times: the same but for noise.
      expect(many.mean).toBeLessThan(few.mean * 1.03)
    }
  })

  it('is slower near saturation', () => {
    const tight = leastByUtilisation({ ...search, maxUtilisation: 0.97 })
    expect(simulate({ ...given, machines: tight }).p99).toBeGreaterThan(simulate(given).p99)
  })

  it('waits for every sub-aggregator that the quorum needs', () => {
    const tree: Workload = { ...workload, operators: 16, topology: 'tree', fanOut: 5 }
    expect(callsOf(tree).reduce((sum, each) => sum + each, 0)).toBe(16)
    const machines = leastByUtilisation({ ...search, workload: tree })
    const { p50 } = simulate({ ...given, workload: tree, machines })
    expect(p50).toBeGreaterThan(assumptions.operatorMs + assumptions.siteMs)
  })

  it('responds sooner with a tree of many operators', () => {
    const p99 = (topology: Workload['topology']) => {
      const many: Workload = { ...workload, operators: 64, topology, fanOut: 8 }
      const machines = leastByUtilisation({ ...search, workload: many })
      return simulate({ ...given, workload: many, machines, tasks: 1_000 }).p99
    }
    expect(p99('tree')).toBeLessThan(p99('flat'))
  })
})

it('finds machines that keep the bounds', () => {
  const plan = findPlan({ ...search, maxP99: 500, tasks: 4_000, seed: 1 })
  expect(plan.holds).toBe(true)
  for (const part of Object.values(plan.utilisation)) expect(part).toBeLessThanOrEqual(0.7)
})

it('adds processes until a tighter bound of the latency holds', () => {
  const loose = findPlan({ ...search, maxP99: 10_000, tasks: 4_000, seed: 1 })
  const bound = loose.result.p99 * 0.9
  const tight = findPlan({ ...search, maxP99: bound, tasks: 4_000, seed: 1 })
  expect(tight.result.p99).toBeLessThan(loose.result.p99)
})

it('predicts a throughput within the cores that a deployment uses', () => {
  const cluster = { gateways: 2, operators: 4, coresUsed: 1.6, coresIdle: 0.1 }
  const options = { callers: 16, tasks: 1_000, seed: 1 }
  const { perSecond, p50 } = predictCluster(costs, cluster, options)
  const { gateway, operator, postgres, indexer, chain, load } = costs
  const cpu =
    gateway.perTask +
    4 * (gateway.perOperator + operator.perTask) +
    postgres.perTask +
    postgres.perTaskOfIndexer +
    indexer.perTask +
    chain.perTask +
    load.perTask
  expect(perSecond).toBeLessThan((1.5 * 1000) / cpu / 0.95)
  expect(perSecond).toBeGreaterThan((1.5 * 1000) / cpu / 2)
  // Little's law: callers = throughput × latency.
  expect((perSecond * p50) / 1000).toBeGreaterThan(10)
  expect(predictCluster(costs, cluster, options)).toEqual({ perSecond, p50 })
})
