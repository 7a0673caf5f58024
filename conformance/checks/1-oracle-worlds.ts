import { hexToString, toHex } from 'viem'
import type { Check } from '../core/check.ts'
import { expectEqual } from '../core/expect.ts'
import { decisionOf } from '../crypto/attestation.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { decideWithOracles, simulateOracle } from '../kit/scenarios/oracles.ts'
import { freshValue, transferIntent } from '../kit/scenarios/requests.ts'
import { expectEvaluation } from '../kit/scenarios/simulation.ts'
import { createTaskSubject } from '../kit/scenarios/subjects.ts'
import { type OracleData, withOracleData } from '../kit/scenarios/world.ts'

/** Section 1: the data that oracles fetch changes the decision, and an outage never allows. */
const worldNeeds = (client: string): Check['needs'] => [
  ...createTaskSubject.needs,
  'fixture-host',
  'world',
  `client:${client}`,
]

/** With changed oracle data the policy must deny: once simulated, once as a task. */
const deniedIn = (
  id: string,
  title: string,
  client: string,
  world: OracleData,
  clauses: readonly string[],
): Check => ({
  id,
  title,
  clauses,
  level: 'must',
  profiles: ['tasks', 'simulation'],
  needs: worldNeeds(client),
  twin: 'the same transfer with the original data',
  exclusive: true,
  run: async (t) => {
    const expectBoth = async (expected: boolean) => {
      // A tenth of a coin: 200 dollars with the original data.
      const intent = transferIntent(t, { value: toHex(10n ** 17n + BigInt(freshValue(t))) })
      const simulated = expectEvaluation(await simulateOracle(t, client, { intent }))
      expectEqual(simulated.result, expected, 'the result')
      const task = await decideWithOracles(t, client, { intent })
      expectEqual(decisionOf(task.evaluationResult), expected, 'the decision')
    }
    await t.twin(() => expectBoth(true))
    await withOracleData(t, world, () => expectBoth(false))
  },
})

export const oracleWorlds: readonly Check[] = [
  deniedIn(
    // 1-13: The http host interface fetches a URL with a method, headers and a body; the oracle
    //   receives the status and the body bytes.
    // 1-24: data.wasm is the merged oracle output; each oracle is under its pack id, as
    //   data.wasm.<pack_id>.
    'rpc.oracle.world.price',
    'a higher price makes the same transfer too large',
    fixture.priced,
    { prices: { ETH: 1e9 } },
    ['1-13', '1-24'],
  ),
  deniedIn(
    // 1-27: The error that a failing oracle returns as {<pack_id>: {error: <string>}} reaches the
    //   policy, which can deny.
    'rpc.oracle.world.outage',
    'a feed that is unavailable denies',
    fixture.priced,
    { mode: 'error' },
    ['1-27'],
  ),
  // 1-13: The http host interface fetches a URL with a method, headers and a body; the oracle
  //   receives the status and the body bytes.
  // 1-24: data.wasm is the merged oracle output; each oracle is under its pack id, as
  //   data.wasm.<pack_id>.
  deniedIn('rpc.oracle.world.stale', 'a stale feed denies', fixture.priced, { feedAge: 7_200 }, [
    '1-13',
    '1-24',
  ]),
  deniedIn(
    // 1-27: The error that a failing oracle returns as {<pack_id>: {error: <string>}} reaches the
    //   policy, which can deny.
    'rpc.oracle.world.garbage',
    'a feed with an invalid JSON response denies',
    fixture.priced,
    { mode: 'garbage' },
    ['1-27'],
  ),
  deniedIn(
    // 1-27: The error that a failing oracle returns as {<pack_id>: {error: <string>}} reaches the
    //   policy, which can deny.
    // 1-14: A fetch that fails gives the oracle an error string, not a trap.
    'rpc.oracle.world.huge',
    'a feed with an oversized response denies',
    fixture.priced,
    { mode: 'huge' },
    ['1-27', '1-14'],
  ),
  deniedIn(
    // 1-24: data.wasm is the merged oracle output; each oracle is under its pack id, as
    //   data.wasm.<pack_id>.
    // 1-27: The error that a failing oracle returns as {<pack_id>: {error: <string>}} reaches the
    //   policy, which can deny.
    'rpc.oracle.world.listed',
    'a recipient that one of two oracles lists is denied',
    fixture.multi,
    { listed: ['0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'] },
    ['1-24', '1-27'],
  ),
  {
    // 1-36: How data that differs between operators is settled.
    id: 'rpc.oracle.observed.spread',
    title: 'observed: operators that see prices 2 % apart',
    clauses: ['1-36'],
    level: 'may',
    needs: worldNeeds(fixture.priced),
    exclusive: true,
    run: async (t) => {
      await withOracleData(t, { spread: 0.02 }, async () => {
        const response = await decideWithOracles(t, fixture.priced)
        const data = hexToString(response.policyTaskData.policyData[0]!.data)
        t.observe(`prices 2 % apart are settled as ${data}`)
      })
    },
  },
]
