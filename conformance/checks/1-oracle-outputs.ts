import { policyAbi } from 'polgate-chain/artifacts/abis.ts'
import { type Hex, toHex } from 'viem'
import type { Answer } from '../core/answer.ts'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, type JsonObject } from '../core/expect.ts'
import { decisionOf } from '../crypto/attestation.ts'
import { observed } from '../kit/assertions/observed.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { policyDataWithComponent } from '../kit/scenarios/newClient.ts'
import { decideWithOracles, simulateOracle } from '../kit/scenarios/oracles.ts'
import {
  openProbe,
  probeNeeds,
  type Step,
  secretProbe,
  step,
  tape,
} from '../kit/scenarios/probe.ts'
import {
  chainIdOf,
  createTask,
  expectFailure,
  expectTask,
  failureOf,
  taskParams,
} from '../kit/scenarios/requests.ts'
import { expectOracleRun, simulatePolicyData } from '../kit/scenarios/secrets.ts'
import { expectEvaluation } from '../kit/scenarios/simulation.ts'
import { createTaskSubject } from '../kit/scenarios/subjects.ts'

/** Section 1: from the outputs of oracles to data.wasm, and from a content id to an oracle. */
const needs = [...new Set([...probeNeeds, ...createTaskSubject.needs])]

const simulated = async (t: CheckContext, policy_data: readonly unknown[]): Promise<JsonObject> =>
  expectEvaluation(await simulateOracle(t, fixture.probed, { policy_data }))

const wasmOf = (evaluation: JsonObject): unknown =>
  (evaluation.policy_params_and_data as JsonObject | undefined)?.wasm

/** Simulates with one component that is listed once per output. */
async function simulateOutputs(t: CheckContext, ...outputs: readonly string[]): Promise<Answer> {
  const policy_data_address = await openProbe(t)
  const policy_data = outputs.map((output) => ({
    policy_data_address,
    wasm_args: tape(step.say(output)),
  }))
  return simulateOracle(t, fixture.probed, { policy_data })
}

/** What the policy gets, or the error. */
const wasmOrError = (answer: Answer): unknown =>
  failureOf(answer) === undefined ? wasmOf(expectEvaluation(answer)) : expectFailure(answer)

async function decide(t: CheckContext, ...steps: readonly Step[]): Promise<unknown> {
  const change = { wasm_args: tape(...steps) }
  return decisionOf((await decideWithOracles(t, fixture.probed, change)).evaluationResult)
}

/** A valid content id of bytes that are not a component: a policy's source. */
const sourceCid = (t: CheckContext) =>
  t.chain().readContract({
    address: t.client(fixture.probed).policyAddress,
    abi: policyAbi,
    functionName: 'getPolicyCid',
  })

const noComponent = (
  id: string,
  title: string,
  clause: string,
  cid: (t: CheckContext) => Promise<string>,
): Check => ({
  id,
  title: `a PolicyData that names ${title} is rejected with a reason`,
  clauses: ['1-10', clause, '4.6-07'],
  level: 'must',
  needs,
  twin: 'the same run of a PolicyData that names a component',
  run: async (t) => {
    const run = (policy_data_address: Hex) =>
      simulatePolicyData(t, {
        policy_data_address,
        chain_id: chainIdOf(t),
        wasm_args: tape(step.take(1)),
      })
    await t.twin(async () => expectOracleRun(await run(await openProbe(t))))
    const address = await policyDataWithComponent(t, await cid(t))
    t.observe(`${title}: ${expectFailure(await run(address))}`)
    expectOracleRun(await run(await openProbe(t)))
  },
})

export const oracleOutputs: readonly Check[] = [
  {
    // 1-27: The error that a failing oracle returns as {<pack_id>: {error: <string>}} reaches the
    //   policy, which can deny.
    // 1-24: data.wasm is the merged oracle output; each oracle is under its pack id, as
    //   data.wasm.<pack_id>.
    // 1-25: A policy with an empty deny set allows; one with a reason in deny does not.
    id: 'rpc.oracle.output.error-denies',
    title:
      'an oracle that returns an error under its pack id leads to a denial, simulated and as a task',
    clauses: ['1-27', '1-24', '1-25'],
    level: 'must',
    profiles: ['tasks', 'simulation'],
    needs,
    twin: 'the same intent with an oracle that returns an account',
    run: async (t) => {
      const entries = (wasm_args: Hex) =>
        t.client(fixture.probed).policyData.map(({ address }) => ({
          policy_data_address: address,
          wasm_args,
        }))
      const error = step.say('{"probe":{"error":"the feed is closed"}}')
      await t.twin(async () => {
        expectEqual((await simulated(t, entries(tape(step.get)))).result, true, 'the result')
        expectEqual(await decide(t, step.get), true, 'the decision')
      })
      const evaluation = await simulated(t, entries(tape(error)))
      expectEqual(evaluation.result, false, 'the result')
      const { probe } = wasmOf(evaluation) as JsonObject
      expectEqual(probe, { error: 'the feed is closed' }, 'data.wasm.probe')
      expectEqual(await decide(t, error), false, 'the decision')
    },
  },
  {
    // 1-24: data.wasm is the merged oracle output; each oracle is under its pack id, as
    //   data.wasm.<pack_id>.
    // 1-03: Evaluation sees the output of the client’s data oracles.
    id: 'rpc.oracle.output.under-pack-ids',
    title: 'three oracles appear under their pack ids, each with its own output',
    clauses: ['1-24', '1-03'],
    level: 'must',
    profiles: ['tasks', 'simulation'],
    needs: [...needs, `client:${fixture.echo}`],
    run: async (t) => {
      const echo = t.client(fixture.echo).policyData[0]!.address
      const entries = [
        { policy_data_address: secretProbe(t), wasm_args: tape(step.take(1)) },
        { policy_data_address: echo, wasm_args: toHex('{"same":"words"}') },
        { policy_data_address: await openProbe(t), wasm_args: tape(step.say('{"third":{"x":3}}')) },
      ]
      const expected = {
        probe: { done: [{ grown: true }] },
        echo: { same: 'words' },
        third: { x: 3 },
      }
      for (const listed of [entries, [...entries].reverse()])
        expectEqual(wasmOf(await simulated(t, listed)), expected, 'data.wasm')
      expectEqual(await decide(t, step.take(1)), true, 'the decision')
    },
  },
  {
    // 1-54: Which output is kept where two oracles use the same pack id.
    id: 'rpc.oracle.output.observed.same-pack',
    title: 'observed: outputs of two oracles with the same pack id',
    clauses: ['1-54'],
    level: 'may',
    needs,
    run: async (t) => {
      const [a, b] = ['{"p":{"x":1},"q":1}', '{"p":{"y":2}}'] as const
      const merged = async (...outputs: string[]) =>
        wasmOrError(await simulateOutputs(t, ...outputs))
      observed(t, 'a-then-b', 'the first, then the second', await merged(a, b))
      observed(t, 'b-then-a', 'the second, then the first', await merged(b, a))
    },
  },
  {
    // 1-24: data.wasm is the merged oracle output; each oracle is under its pack id, as
    //   data.wasm.<pack_id>.
    // 2.6-09: policy_params_and_data is {params, wasm}: the parameters and the merged oracle
    //   output.
    id: 'rpc.oracle.output.odd-names',
    title: 'pack ids that are reserved names, empty or not ASCII are valid',
    clauses: ['1-24', '2.6-09'],
    level: 'must',
    needs,
    run: async (t) => {
      const merged = async (output: string) =>
        wasmOf(expectEvaluation(await simulateOutputs(t, output)))
      for (const name of ['constructor', 'toString', '', 'a.b', 'größe', '0'])
        expectEqual(
          await merged(JSON.stringify({ [name]: { price: 1 } })),
          { [name]: { price: 1 } },
          `data.wasm of the pack ${JSON.stringify(name)}`,
        )
      // Some parsers treat this name specially: whatever happens to it, it must not affect another
      // run.
      await merged('{"__proto__":{"allow":true}}')
      expectEqual(await merged('{"p":1}'), { p: 1 }, 'data.wasm of the run after it')
    },
  },
  {
    // 1-62: The input of an oracle where wasm_args is absent or empty.
    id: 'rpc.oracle.input.observed.no-args',
    title: 'observed: the input of an oracle without wasm_args, simulated and in a task',
    clauses: ['1-62'],
    level: 'may',
    profiles: ['tasks', 'simulation'],
    needs: [...needs, `client:${fixture.echo}`],
    run: async (t) => {
      expectTask(await createTask(t, taskParams(t)))
      const { address } = t.client(fixture.echo).policyData[0]!
      for (const args of [{}, { wasm_args: '0x' }]) {
        const policy_data = [{ policy_data_address: address, ...args }]
        const evaluation = wasmOrError(await simulateOracle(t, fixture.echo, { policy_data }))
        const what = `data.wasm with ${JSON.stringify(args)}`
        observed(t, 'evaluation', what, evaluation)
        const task = await createTask(t, taskParams(t, fixture.echo, args))
        const given = Buffer.from('{"echo":{}}').toString('hex')
        const failure = failureOf(task)
        const response = failure ?? JSON.stringify(expectTask(task).task_response)
        observed(t, 'task', `a task with ${JSON.stringify(args)}`, failure ?? 'its data', {
          given,
          includesGiven: response.includes(given),
        })
      }
    },
  },
  // 1-10: An oracle is a WASM component fetched by its content id and run for its PolicyData
  //   contract.
  // 1-58: The error for content that is not a component.
  // 4.6-07: A failure has an error string.
  noComponent('rpc.oracle.content.text', 'content that is not a component', '1-58', sourceCid),
  noComponent(
    // 1-10: An oracle is a WASM component fetched by its content id and run for its PolicyData
    //   contract.
    // 1-61: The error for a PolicyData whose content id is invalid.
    // 4.6-07: A failure has an error string.
    'rpc.oracle.content.no-id',
    'an invalid content id',
    '1-61',
    async () => 'no content id',
  ),
  noComponent('rpc.oracle.content.nothing', 'nothing', '1-61', async () => ''),
  noComponent('rpc.oracle.content.path', 'a path', '1-61', async () => '../../etc/hostname'),
]
