import { awaitLater } from 'polgate-lib/async/awaitLater.ts'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual } from '../core/expect.ts'
import { expectOperationalFailure, expectResultObject } from '../kit/assertions/expectAnswer.ts'
import { expectDecided, observed } from '../kit/assertions/observed.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import {
  type Done,
  expectSteps,
  probeNeeds,
  runProbe,
  type Step,
  step,
  stepsOrError,
} from '../kit/scenarios/probe.ts'
import { chainIdOf, expectFailure, failureOf, publicKey } from '../kit/scenarios/requests.ts'
import { expectOracleRun, simulatePolicyData } from '../kit/scenarios/secrets.ts'
import { simulatePolicyDataSubject } from '../kit/scenarios/secretsSubjects.ts'

/** Section 1: how a run ends, its limits, and its isolation. */
const needs = probeNeeds
const twin = 'a successful run of the same oracle, before and after'

/** A successful run: allocates one page of memory. */
async function wellDone(t: CheckContext): Promise<void> {
  const grown: readonly Done[] = [{ kind: 'grown', grown: true }]
  expectEqual(expectSteps(await runProbe(t, step.take(1))), grown, 'a successful run')
}

const executionFailed = /^WASM execution failed: \S/

/** The gateway's error for a failed run. */
async function failureOfRun(
  t: CheckContext,
  steps: readonly Step[],
  says: RegExp = executionFailed,
): Promise<string> {
  const { error } = expectOperationalFailure(await runProbe(t, ...steps), says)
  return String(error)
}

/** A run that fails between two successful runs, by default with the error of section 7.3. */
const failing = (
  id: string,
  title: string,
  steps: readonly Step[],
  clauses: readonly string[],
  says: RegExp = executionFailed,
): Check => ({
  id,
  title: `an oracle that ${title} fails${says === executionFailed ? ' with WASM execution failed' : ''}, and the next run succeeds`,
  clauses: [...clauses, '7.3-17', '4.6-07'],
  level: 'must',
  needs,
  twin,
  run: async (t) => {
    await t.twin(() => wellDone(t))
    const beside = runProbe(t, step.take(1))
    const [error, answer] = await Promise.all([failureOfRun(t, steps, says), beside])
    observed(t, 'error', `an oracle that ${title}`, error)
    // Whether it affects runs beside it is open (clause 1-57).
    expectDecided(t, 'run-beside', 'the failure of a run beside it', failureOf(answer))
    await wellDone(t)
  },
})

/** Outputs that are not JSON objects: `policy_data.data` must be one (section 2.6). */
const noObjects: readonly (readonly [string, string])[] = [
  // 2.6-02: policy_data.data is the output of the oracle, an object.
  // 1-53: The error for output that is not a JSON object.
  // 1-11: An oracle exports run(input): it takes a string and returns a JSON string.
  // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success false.
  // 4.6-07: A failure has an error string.
  ['rpc.oracle.run.output-text', 'price: 42'],
  ['rpc.oracle.run.output-nothing', ''],
  ['rpc.oracle.run.output-array', '[{"probe":1}]'],
  ['rpc.oracle.run.output-string', '"probe"'],
  ['rpc.oracle.run.output-number', '42'],
  ['rpc.oracle.run.output-null', 'null'],
  ['rpc.oracle.run.output-cut', '{"probe":{"price":4'],
  ['rpc.oracle.run.output-two', '{"probe":1}{"probe":2}'],
  ['rpc.oracle.run.output-not-a-number', '{"probe":NaN}'],
  ['rpc.oracle.run.output-single-quotes', "{'probe':1}"],
]

/** Exceeds every limit but that of time, each in another way. */
const limits: Readonly<Record<string, readonly Step[]>> = {
  trap: [step.trap],
  err: [step.err('the feed is closed')],
  memory: [step.grow],
  recursion: [step.recurse],
  'not JSON': [step.say('price: 42')],
  'not an object': [step.say('[]')],
}

export const oracleRuns: readonly Check[] = [
  ...noObjects.map(([id, text]) =>
    // The text of the error is open (clause 1-53).
    failing(id, `returns ${text || 'nothing'}`, [step.say(text)], ['2.6-02', '1-53', '1-11'], /\S/),
  ),
  // 7.3-09: The error of a failing oracle is "WASM execution failed: {details}".
  // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success false.
  // 4.6-07: A failure has an error string.
  failing('rpc.oracle.run.trap', 'traps after a host call', [step.get, step.trap], ['7.3-09']),
  // The text of the error is open (clause 1-35).
  // 1-35: The limits of an oracle run, and the error when one is exceeded.
  // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success false.
  // 4.6-07: A failure has an error string.
  failing('rpc.oracle.run.memory', 'allocates all the memory it can', [step.grow], ['1-35'], /\S/),
  failing('rpc.oracle.run.recursion', 'recurses without end', [step.recurse], ['1-35'], /\S/),
  {
    // 7.3-09: The error of a failing oracle is "WASM execution failed: {details}".
    // 1-11: An oracle exports run(input): it takes a string and returns a JSON string.
    // 4.6-07: A failure has an error string.
    id: 'rpc.oracle.run.err',
    title: 'the error case of run is WASM execution failed',
    clauses: ['7.3-09', '1-11', '4.6-07'],
    level: 'must',
    needs,
    twin,
    run: async (t) => {
      await t.twin(() => wellDone(t))
      for (const words of ['the feed is closed', 'Kurs nicht verfügbar – 価格なし']) {
        const error = await failureOfRun(t, [step.err(words)])
        const named = error.includes(words)
        observed(t, 'details', `the oracle’s error '${words}'`, error, { named })
      }
    },
  },
  {
    // 1-60: Whether each limit of an oracle has its own error text.
    // 1-35: The limits of an oracle run, and the error when one is exceeded.
    id: 'rpc.oracle.run.observed.texts',
    title: 'observed: the texts of the limits that an oracle can exceed, all different',
    clauses: ['1-60', '1-35'],
    level: 'may',
    needs,
    run: async (t) => {
      const texts = await Promise.all(
        Object.entries(limits).map(async ([name, steps]) => {
          const text = await failureOfRun(t, steps, /\S/)
          t.observe(`${name}: ${text}`)
          return text
        }),
      )
      observed(t, 'different-texts', 'the number of different texts', new Set(texts).size, {
        texts: texts.length,
      })
    },
  },
  {
    // 1-49: The maximum memory of a run.
    id: 'rpc.oracle.run.observed.memory',
    title: 'observed: 119 MiB of memory, and 133',
    clauses: ['1-49'],
    level: 'may',
    needs,
    run: async (t) => {
      const taken = async (pages: number) => {
        const done = stepsOrError(await runProbe(t, step.take(pages)))
        return typeof done === 'string' ? done : done[0]
      }
      // The probe starts with 18 pages of 64 KiB; 128 MiB are 2,048.
      observed(t, 'growth', '1,900 pages and 2,100', [await taken(1_900), await taken(2_100)])
    },
  },
  {
    // 1-51: Whether any state of a run is visible to the next.
    id: 'rpc.oracle.run.observed.nothing-left',
    title: 'observed: a run finds no data of another run in its memory',
    clauses: ['1-51'],
    level: 'may',
    needs: [...needs, `client:${fixture.companions}`],
    run: async (t) => {
      const count = async () => {
        const answer = await runOther(t, 'counter')
        return expectOracleRun(answer).data
      }
      const inTurn = [await count(), await count(), await count()]
      const atOnce = await Promise.all([count(), count(), count(), count()])
      const all = [...inTurn, ...atOnce]
      const what = 'the count of an oracle that counts its runs'
      observed(t, 'counts', what, all)
    },
  },
  {
    // 1-52: Whether run returns a plain string or result<string, string>.
    id: 'rpc.oracle.run.observed.plain-string',
    title: 'observed: an oracle whose run returns a string without a result around it',
    clauses: ['1-52'],
    level: 'may',
    needs: [...needs, `client:${fixture.companions}`],
    run: async (t) => {
      const answer = await runOther(t, 'plain')
      const { policy_data, error } = expectResultObject(answer)
      const data = (policy_data as { data?: unknown } | null | undefined)?.data ?? error
      observed(t, 'output', 'its output', data)
    },
  },
  {
    // 1-57: Whether a run that fails or does not end affects runs beside it.
    // 4.6-07: A failure has an error string.
    // 4.6-06: The answer has success, and policy_data on success.
    id: 'rpc.oracle.run.beside-bombs',
    title: 'after oracles that loop, trap, use up memory and stack, other oracles and methods work',
    clauses: ['1-57', '4.6-07', '4.6-06'],
    level: 'must',
    needs: [...needs, ...simulatePolicyDataSubject.needs],
    twin: 'the other oracle, before them',
    run: async (t) => {
      await t.twin(() => expectNeighbour(t, -1))
      const bombs = [step.loop, step.grow, step.recurse, step.trap, step.grow, step.recurse]
      let ended = 0
      const failing = bombs.map(async (bomb) => {
        // The errors of limits are open (clause 1-35), as are delays (clause 1-57).
        const text = await failureOfRun(t, [bomb], /\S/)
        ended++
        return text
      })
      const failed = awaitLater(Promise.all(failing))
      const asked = performance.now()
      const neighbours = Array.from({ length: 12 }, async (_, at) => {
        const failure = await neighbour(t, at)
        await publicKey(t)
        return { failure, ms: performance.now() - asked }
      })
      const done = await Promise.all(neighbours)
      const failures = done.flatMap(({ failure }) => failure ?? [])
      observed(t, 'failed-neighbours', 'failures of runs beside them', failures)
      const slowest = Math.max(...done.map(({ ms }) => ms))
      t.observe(`12 runs beside ${bombs.length} bombs: the slowest after ${slowest.toFixed(0)} ms`)
      t.observe(`bombs that had ended by then: ${ended}`)
      for (const text of await failed) t.observe(text)
      await expectNeighbour(t, 99)
    },
  },
  {
    // 1-50: What an oracle may import besides http and secrets, and the error for other imports.
    id: 'rpc.oracle.run.observed.forbidden-import',
    title: 'observed: the error for an oracle that imports wasi:http',
    clauses: ['1-50'],
    level: 'may',
    needs: [...needs, `client:${fixture.forbidden}`],
    run: async (t) => {
      await simulatePolicyDataSubject.accepted(t)
      const { address } = t.client(fixture.forbidden).policyData[0]!
      const failure = expectFailure(
        await simulatePolicyData(t, { policy_data_address: address, chain_id: chainIdOf(t) }),
      )
      const names =
        failure.includes('wasi:http') && failure.toLowerCase().includes(address.toLowerCase())
      observed(t, 'refusal', 'the refusal', failure, { namesBoth: names })
    },
  },
]

/** The echo oracle, with a unique input each time; returns its failure, if any. */
async function neighbour(t: CheckContext, at: number): Promise<string | undefined> {
  const params = await simulatePolicyDataSubject.params(t)
  const wasm_args = `0x${Buffer.from(JSON.stringify({ at })).toString('hex')}`
  const answer = await simulatePolicyData(t, { ...params, wasm_args })
  if (failureOf(answer) !== undefined) return expectFailure(answer)
  expectEqual(expectOracleRun(answer).data, { echo: { at } }, 'the output of another oracle')
  return undefined
}

const expectNeighbour = async (t: CheckContext, at: number): Promise<void> =>
  expectEqual(await neighbour(t, at), undefined, 'the failure of another oracle')

/** The oracle with this pack id, without an input. */
function runOther(t: CheckContext, pack: string) {
  const { policyData } = t.client(fixture.companions)
  const { address } = policyData.find(({ packId }) => packId === pack)!
  return simulatePolicyData(t, { policy_data_address: address, chain_id: chainIdOf(t) })
}
