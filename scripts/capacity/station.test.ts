import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../soak/random.ts'
import { constant, exponential, type Times } from './distributions.ts'
import { createGroupCommit } from './groupCommit.ts'
import { createSimulation } from './simulation.ts'
import { createStation } from './station.ts'

type Job = { readonly arrives: number; readonly takes: number }

function run(servers: number, jobs: readonly Job[]) {
  const simulation = createSimulation()
  const station = createStation(simulation, servers)
  const ends: number[] = []
  jobs.forEach(({ arrives, takes }, at) => {
    simulation.after(arrives, () =>
      station.serve(takes, () => {
        ends[at] = simulation.now
      }),
    )
  })
  simulation.run()
  return { ends, now: simulation.now, ...station.figures() }
}

/** Mean wait with Poisson arrivals and services of mean 1. */
function meanWait(servers: number, utilisation: number, times: (seed: number) => Times): number {
  const between = exponential(seededRandom(1))
  const service = times(2)
  const jobs: Job[] = []
  let arrives = 0
  for (let count = 0; count < 250_000; count++) {
    arrives += between(1 / (utilisation * servers))
    jobs.push({ arrives, takes: service(1) })
  }
  const { waited, completed } = run(servers, jobs)
  return waited / completed
}
const random = (seed: number) => exponential(seededRandom(seed))
const same = () => constant

describe('a station waits as queueing theory says', () => {
  const near = (value: number, expected: number) => {
    expect(value).toBeGreaterThan(expected * 0.96)
    expect(value).toBeLessThan(expected * 1.04)
  }
  it.each([0.5, 0.7, 0.8])('M/M/1 at utilisation %f', (rho) => {
    near(meanWait(1, rho, random), rho / (1 - rho))
  })
  it.each([0.5, 0.7, 0.8])('M/D/1 at utilisation %f', (rho) => {
    near(meanWait(1, rho, same), rho / (2 * (1 - rho)))
  })
  it('M/M/2 at utilisation 0.7', () => {
    near(meanWait(2, 0.7, random), 0.7 ** 2 / (1 - 0.7 ** 2))
  })
})

const anyJobs = fc.array(
  fc.record({ arrives: fc.integer({ min: 0, max: 200 }), takes: fc.integer({ min: 0, max: 50 }) }),
  { minLength: 1, maxLength: 60 },
)

it("fulfils Little's law", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), anyJobs, (servers, jobs) => {
      const { area, stayed, completed, now } = run(servers, jobs)
      expect(completed).toBe(jobs.length)
      if (now === 0) return
      const [inStation, rate] = [area / now, completed / now]
      expect(inStation).toBeCloseTo(rate * (stayed / completed), 6)
    }),
  )
})

it('ends no job later with more servers', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), anyJobs, (servers, jobs) => {
      const fewer = run(servers, jobs).ends
      run(servers + 1, jobs).ends.forEach((end, at) => {
        expect(end).toBeLessThanOrEqual(fewer[at]!)
      })
    }),
  )
})

it('flushes what arrives during a flush together', () => {
  const simulation = createSimulation()
  const log = createGroupCommit(simulation, 10)
  const ends: number[] = []
  for (const at of [0, 1, 2, 9, 25])
    simulation.after(at, () => log.commit(() => ends.push(simulation.now)))
  simulation.run()
  expect(ends).toEqual([10, 20, 20, 20, 35])
  expect(log.flushes).toBe(3)
})
