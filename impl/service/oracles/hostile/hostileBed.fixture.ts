import { expect } from 'vitest'
import type { OracleLimits } from '../limits.ts'
import type { OracleHost, OracleHostOptions } from '../oracleHost.ts'
import { failureOf, oracleTestBed } from '../testing/testBed.ts'

/** A case of the hostile set, as far as it says how it has to end. */
type Ending = {
  ends: 'load' | 'run' | 'guest' | 'content'
  code: string
  limits?: Partial<OracleLimits>
}

/** What a case feeds to a host, and the text it has to end with. */
export type Attack = {
  component: Uint8Array
  input: string
  text: string
}

/**
 * Runs hostile cases on real hosts with the limits of decision O4, beside a neighbour: another oracle
 * of the same host that runs again and again, and has to answer rightly each time.
 *
 * @param neighbour component that answers `{"echo": <input>}`
 */
export function hostileBed(neighbour: () => Promise<Uint8Array>) {
  const bed = oracleTestBed()
  return {
    ...bed,

    /** The case ends as it has to, and the neighbour does not notice. */
    async expectEnding(
      ending: Ending,
      attack: Attack,
      options: Partial<OracleHostOptions> = {},
    ): Promise<OracleHost> {
      const host = bed.hostWith(ending.limits, { maxWorkers: 3, ...options })
      await expectEndingOn(host, ending, attack)
      return host
    },

    expectEndingOn,
    besideNeighbour,
  }

  /** The same on a host that is there. */
  async function expectEndingOn(
    host: OracleHost,
    { ends, code }: Ending,
    { component, input, text }: Attack,
  ): Promise<void> {
    const { result, neighbourRuns } = await besideNeighbour(host, async () => {
      if (ends === 'load') return await failureOf(bed.load(host, component))
      const cid = await bed.load(host, component)
      return await failureOf(host.run({ cid, input }))
    })
    expect({ code: result.code, text: result.details }).toEqual({ code, text })
    expect(neighbourRuns).toBeGreaterThan(0)
  }

  /**
   * Work while the neighbour runs. It began before the work does, and runs until that has ended: a
   * host, or an event loop, that stands still meanwhile would leave it without a run.
   */
  async function besideNeighbour<T>(host: OracleHost, work: () => Promise<T>) {
    const cid = await bed.load(host, await neighbour())
    const answers = async (run: number) => {
      const { json } = await host.run({ cid, input: String(run) })
      expect(json).toEqual({ echo: run })
    }
    await answers(0)
    let working = true
    let neighbourRuns = 0
    const attack = work().finally(() => {
      working = false
    })
    const neighbours = (async () => {
      do {
        neighbourRuns += 1
        await answers(neighbourRuns)
      } while (working)
    })()
    const [result] = await Promise.all([attack, neighbours])
    return { result, neighbourRuns }
  }
}
