import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { observed } from '../kit/assertions/observed.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { simulateOracle } from '../kit/scenarios/oracles.ts'
import { pause } from '../kit/scenarios/pause.ts'
import { type Done, expectSteps, probeNeeds, runProbe, step } from '../kit/scenarios/probe.ts'
import { expectEvaluation } from '../kit/scenarios/simulation.ts'
import { createTaskSubject } from '../kit/scenarios/subjects.ts'
import { withOracleData } from '../kit/scenarios/world.ts'

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
    // 1-63: What time the clocks of an oracle show.
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
      observed(t, 'order', 'the times that two runs read', times, { inOrder })
      const later = second[0]! > first.at(-1)!
      observed(t, 'later-run', 'the later run', times, { later })
      const live = times.every(
        (time) => time >= before - clockToleranceMs && time <= after + clockToleranceMs,
      )
      observed(t, 'times', 'the times', times, { live, range: `about ${before} to ${after}` })
    },
  },
  {
    // 1-64: Which random numbers an oracle receives.
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
      observed(
        t,
        'different-numbers',
        'how many of four random numbers differ',
        new Set(drawn).size,
      )
    },
  },
  {
    // 1-63: What time the clocks of an oracle show.
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
      const stale = await withOracleData(t, { feedAge: 1_500 }, allowed)
      observed(t, 'results', 'the results with a fresh and a stale feed', [fresh, stale])
    },
  },
]
