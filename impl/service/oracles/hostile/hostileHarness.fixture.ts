import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { OracleLimits } from '../limits.ts'
import type { OracleHost, OracleHostOptions } from '../oracleHost.ts'
import { failureOf, oracleHarness } from '../testing/testHarness.ts'

/** The expected end of a hostile case. */
type Ending = {
  ends: 'load' | 'run' | 'guest' | 'content'
  code: string
  limits?: Partial<OracleLimits>
}

/** The input of a case, and the expected message. */
export type Attack = {
  component: Uint8Array
  input: string
  text: string
}

/**
 * Runs hostile cases on real hosts with the limits of decision O4, while another oracle of the same
 * host, the neighbour, runs in a loop and must return the correct result each time.
 *
 * @param neighbour component that returns `{"echo": <input>}`
 */
export function hostileHarness(neighbour: () => Promise<Uint8Array>) {
  const bed = oracleHarness({ sharesCache: true })
  return {
    ...bed,

    /** Expects the case to end as specified without an effect on the neighbour. */
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

  /** The same on an existing host. */
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
   * Runs work while the neighbour runs in a loop. The loop starts before the work and runs until it
   * has ended: a blocked host or event loop would leave the neighbour without a run.
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
        // Without it the neighbour takes most of a processor from what it is to be beside.
        if (working) await pause(20)
      } while (working)
    })()
    const [result] = await Promise.all([attack, neighbours])
    return { result, neighbourRuns }
  }
}
