import { decided, decidedEqual } from '../lab/decided.ts'
import { fixture } from '../lab/fixtures.ts'
import { simulateOracle } from '../lab/oracles.ts'
import { pause } from '../lab/pause.ts'
import { type Done, expectSteps, probeNeeds, runProbe, step } from '../lab/probe.ts'
import { expectEvaluation } from '../lab/simulation.ts'
import { createTaskSubject } from '../lab/subjects.ts'
import { inWorld } from '../lab/world.ts'
import type { Check } from '../runner/check.ts'
import type { CheckContext } from '../runner/context.ts'

/** Section 1: an oracle gets the time and random numbers of its run, not those of its build. */

/** The clocks of gateway and suite may differ. */
const clockToleranceMs = 60_000

const timeOf = (done: Done | undefined): number =>
  done?.kind === 'clock' ? done.unixMs : Number.NaN

/** The wall clock as read by a run, at its start and end. */
const readTimes = async (t: CheckContext): Promise<readonly number[]> =>
  expectSteps(await runProbe(t, step.clock, step.take(1), step.clock))
    .filter(({ kind }) => kind === 'clock')
    .map(timeOf)

/** Judges by the clock of the oracle alone. */
const freshByOracle = `package policy

default allow := false

allow if abs(data.wasm.price_feed.read_at - data.wasm.price_feed.updated_at) <= 300
`

export const oracleTime: readonly Check[] = [
  {
    id: 'rpc.oracle.run.observed.clock',
    title: 'observed: an oracle reads the time of its run, later in a later run',
    clauses: ['1-63'],
    level: 'may',
    needs: probeNeeds,
    run: async (t) => {
      const before = Date.now()
      const first = await readTimes(t)
      await pause(50)
      const second = await readTimes(t)
      const after = Date.now()
      const times = [...first, ...second]
      const inOrder = times.every((time, at) => at === 0 || time >= times[at - 1]!)
      decided(t, inOrder, 'the times that two runs read', 'in order', times)
      const later = second[0]! > first.at(-1)!
      decided(t, later, 'the later run', 'a later time than the run before', times)
      const live = times.every(
        (time) => time >= before - clockToleranceMs && time <= after + clockToleranceMs,
      )
      decided(t, live, 'the times', `about ${before} to ${after}`, times)
    },
  },
  {
    id: 'rpc.oracle.run.observed.random',
    title: 'observed: random numbers of an oracle differ, within a run and between runs',
    clauses: ['1-64'],
    level: 'may',
    needs: probeNeeds,
    run: async (t) => {
      const draw = async () => expectSteps(await runProbe(t, step.random, step.random))
      const drawn = [...(await draw()), ...(await draw())].map((done) =>
        done.kind === 'random' ? done.random : '',
      )
      decidedEqual(t, new Set(drawn).size, 4, 'how many of four random numbers differ')
    },
  },
  {
    id: 'rpc.oracle.world.observed.stale-feed',
    title: 'observed: an oracle detects that its feed was last updated 1,500 seconds ago',
    clauses: ['1-63'],
    level: 'may',
    needs: [...createTaskSubject.needs, 'fixture-host', 'world', `client:${fixture.priced}`],
    exclusive: true,
    run: async (t) => {
      const allowed = async () => {
        const answer = await simulateOracle(t, fixture.priced, { policy: freshByOracle })
        return expectEvaluation(answer).result
      }
      const fresh = await allowed()
      const stale = await inWorld(t, { feedAge: 1_500 }, allowed)
      decidedEqual(t, [fresh, stale], [true, false], 'the results with a fresh and a stale feed')
    },
  },
]
