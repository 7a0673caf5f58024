import fc from 'fast-check'
import { hexToString, toHex } from 'viem'
import type { Check } from '../core/check.ts'
import { expectEqual, expectObject, expectThat, type JsonObject } from '../core/expect.ts'
import { decisionOf } from '../crypto/attestation.ts'
import { checkProperty } from '../kit/assertions/property.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import {
  decideWithOracles,
  oracleParams,
  simulateOracle,
  wasmArgs,
} from '../kit/scenarios/oracles.ts'
import { newSender, transferIntent } from '../kit/scenarios/requests.ts'
import { pricedData } from '../kit/scenarios/secrets.ts'
import { expectEvaluation } from '../kit/scenarios/simulation.ts'
import { createTaskSubject } from '../kit/scenarios/subjects.ts'

/** Section 1: oracles, from wasm_args to data.wasm and into the decision. */
const { needs } = createTaskSubject
const pricedNeeds = [...needs, 'fixture-host', `client:${fixture.priced}`] as const
const echoNeeds = [...needs, `client:${fixture.echo}`] as const
const multiNeeds = [...needs, 'fixture-host', `client:${fixture.multi}`] as const

/** The oracle data in the policy's input. */
function wasmOf(evaluation: JsonObject): JsonObject {
  expectObject(evaluation.policy_params_and_data, 'policy_params_and_data')
  const { wasm } = evaluation.policy_params_and_data
  expectObject(wasm, 'policy_params_and_data.wasm')
  return wasm
}

export const oracles: readonly Check[] = [
  {
    // 1-10: An oracle is a WASM component fetched by its content id and run for its PolicyData
    //   contract.
    // 1-11: An oracle exports run(input): it takes a string and returns a JSON string.
    // 1-13: The http host interface fetches a URL with a method, headers and a body; the oracle
    //   receives the status and the body bytes.
    // 1-15: The secrets host interface gives the oracle the bytes of its decrypted secrets JSON
    //   object.
    // 1-16: The secrets call takes no identifiers: client and PolicyData are fixed by the execution
    //   context.
    // 1-24: data.wasm is the merged oracle output; each oracle is under its pack id, as
    //   data.wasm.<pack_id>.
    // 4.8-13: The listed oracles are fetched, run and merged into data.wasm.
    // 4.8-14: Stored secrets are decrypted for the oracles.
    // 2.6-09: policy_params_and_data is {params, wasm}: the parameters and the merged oracle
    //   output.
    // 9-02: Oracles import the host interfaces by name and version, @0.2.0.
    id: 'rpc.oracle.http-and-secret',
    title:
      'an oracle queries a feed with its secret, and the policy gets the output under its pack id',
    clauses: ['1-10', '1-11', '1-13', '1-15', '1-16', '1-24', '4.8-13', '4.8-14', '2.6-09', '9-02'],
    level: 'must',
    needs: pricedNeeds,
    run: async (t) => {
      const evaluation = expectEvaluation(await simulateOracle(t, fixture.priced))
      const wasm = wasmOf(evaluation)
      expectEqual(Object.keys(wasm), ['price_feed'], 'the members of data.wasm')
      expectObject(wasm.price_feed, 'data.wasm.price_feed')
      // The feed answers 401 without the secret in the header, and 2000 with it.
      expectEqual(
        [wasm.price_feed.symbol, wasm.price_feed.price],
        ['ETH', 2000],
        'symbol and price',
      )
      expectEqual(evaluation.result, true, 'the result')
    },
  },
  {
    // 1-12: The string given to run is the decoded wasm_args (its bytes as UTF-8 text).
    // 2.1-10: wasm_args is the hex encoding of a UTF-8 JSON string.
    // 2.3-02: wasm_args is optional.
    // 2.3-03: wasm_args, where sent, is Data and reaches the oracle.
    // 4.8-13: The listed oracles are fetched, run and merged into data.wasm.
    id: 'rpc.oracle.wasm-args',
    title: 'wasm_args is the input of the oracle: another symbol, another price',
    clauses: ['1-12', '2.1-10', '2.3-02', '2.3-03', '4.8-13'],
    level: 'must',
    profiles: ['simulation'],
    needs: pricedNeeds,
    run: async (t) => {
      const address = pricedData(t)
      const ask = async (entry: Record<string, unknown>) => {
        const policy_data = [{ policy_data_address: address, ...entry }]
        const answer = await simulateOracle(t, fixture.priced, { policy_data })
        return wasmOf(expectEvaluation(answer)).price_feed as JsonObject
      }
      const bitcoin = await ask({ wasm_args: wasmArgs(t, fixture.priced, { symbol: 'BTC' }) })
      expectEqual([bitcoin.symbol, bitcoin.price], ['BTC', 60_000], 'the price of BTC')
      const none = await ask({})
      expectThat(
        typeof none.error === 'string',
        'the oracle without wasm_args',
        'an error of the oracle',
        none,
      )
    },
  },
  {
    // 1-27: The error that a failing oracle returns as {<pack_id>: {error: <string>}} reaches the
    //   policy, which can deny.
    // 1-14: A fetch that fails gives the oracle an error string, not a trap.
    // 1-25: A policy with an empty deny set allows; one with a reason in deny does not.
    id: 'rpc.oracle.error-denies',
    title: 'an oracle that fails reports it under its pack id, and the policy denies',
    clauses: ['1-27', '1-14', '1-25'],
    level: 'must',
    needs: pricedNeeds,
    twin: 'the same simulation with a symbol known to the feed',
    run: async (t) => {
      await t.twin(async () =>
        expectEqual(
          expectEvaluation(await simulateOracle(t, fixture.priced)).result,
          true,
          'the result',
        ),
      )
      const address = pricedData(t)
      const wasm_args = wasmArgs(t, fixture.priced, { symbol: 'NONE' })
      const policy_data = [{ policy_data_address: address, wasm_args }]
      const evaluation = expectEvaluation(await simulateOracle(t, fixture.priced, { policy_data }))
      const feed = wasmOf(evaluation).price_feed as JsonObject
      expectThat(typeof feed.error === 'string', 'data.wasm.price_feed.error', 'a string', feed)
      expectEqual(evaluation.result, false, 'the result')
    },
  },
  {
    // 1-24: data.wasm is the merged oracle output; each oracle is under its pack id, as
    //   data.wasm.<pack_id>.
    // 4.8-13: The listed oracles are fetched, run and merged into data.wasm.
    // 1-03: Evaluation sees the output of the client’s data oracles.
    // 2.6-09: policy_params_and_data is {params, wasm}: the parameters and the merged oracle
    //   output.
    id: 'rpc.oracle.multi.merged',
    title: 'the outputs of two oracles are merged, each under its pack id',
    clauses: ['1-24', '4.8-13', '1-03', '2.6-09'],
    level: 'must',
    profiles: ['simulation'],
    needs: multiNeeds,
    run: async (t) => {
      const evaluation = expectEvaluation(await simulateOracle(t, fixture.multi))
      const wasm = wasmOf(evaluation)
      expectEqual(Object.keys(wasm).sort(), ['price_feed', 'sanctions'], 'the members of data.wasm')
      expectEqual((wasm.sanctions as JsonObject).listed, false, 'data.wasm.sanctions.listed')
      expectEqual((wasm.price_feed as JsonObject).price, 2000, 'data.wasm.price_feed.price')
      expectEqual(evaluation.result, true, 'the result')
    },
  },
  {
    // 4.8-05: policy_data is required: an array with one PolicyDataInput per oracle.
    // 4.8-13: The listed oracles are fetched, run and merged into data.wasm.
    id: 'rpc.oracle.multi.one-listed',
    title: 'with one oracle listed only that one runs',
    clauses: ['4.8-05', '4.8-13'],
    level: 'must',
    needs: multiNeeds,
    run: async (t) => {
      const params = oracleParams(t, fixture.multi)
      const first = (params.policy_data as unknown[]).slice(0, 1)
      const evaluation = expectEvaluation(
        await simulateOracle(t, fixture.multi, { policy_data: first }),
      )
      expectEqual(Object.keys(wasmOf(evaluation)), ['price_feed'], 'the members of data.wasm')
      expectEqual(evaluation.result, false, 'the result without the other oracle')
    },
  },
  {
    // 1-03: Evaluation sees the output of the client’s data oracles.
    // 4.2-14: wasm_args is optional, reaches the oracle, and appears in task.
    // 2.4-05: An entry’s wasmArgs is bytes as hex.
    // 2.4-06: An entry’s data is the pre-fetched output as hex bytes, and is what the policy sees.
    // 2.4-07: An entry’s attestation is bytes as hex.
    // 2.4-08: An entry’s policyDataAddress is an address.
    // 2.4-09: An entry’s expireBlock is a uint32.
    // 2.5-08: task_response has intent, intent_signature and policy_task_data.
    id: 'rpc.oracle.task.data',
    title: 'a task contains the oracle’s input and output that its policy was evaluated on',
    clauses: ['1-03', '4.2-14', '2.4-05', '2.4-06', '2.4-07', '2.4-08', '2.4-09', '2.5-08'],
    level: 'must',
    needs: pricedNeeds,
    run: async (t) => {
      const response = await decideWithOracles(t, fixture.priced)
      expectEqual(decisionOf(response.evaluationResult), true, 'the decision')
      const [entry, ...rest] = response.policyTaskData.policyData
      expectThat(
        entry !== undefined && rest.length === 0,
        'policyData',
        'one entry',
        rest.length + 1,
      )
      expectEqual(entry.wasmArgs, wasmArgs(t, fixture.priced), 'wasmArgs')
      const address = pricedData(t)
      expectEqual(entry.policyDataAddress.toLowerCase(), address.toLowerCase(), 'policyDataAddress')
      const output = JSON.parse(hexToString(entry.data)) as { price_feed?: { price?: unknown } }
      expectEqual(output.price_feed?.price, 2000, 'the price in data')
      expectThat(Number.isInteger(entry.expireBlock), 'expireBlock', 'a number', entry.expireBlock)
    },
  },
  {
    // 1-03: Evaluation sees the output of the client’s data oracles.
    // 1-24: data.wasm is the merged oracle output; each oracle is under its pack id, as
    //   data.wasm.<pack_id>.
    // 4.2-25: A policy that denies still gives a signed task: the decision is in the result.
    id: 'rpc.oracle.task.limit',
    title: 'the oracle’s price decides: a transfer of the limit is allowed, one wei more is not',
    clauses: ['1-03', '1-24', '4.2-25'],
    level: 'must',
    needs: pricedNeeds,
    twin: 'the transfer of the limit',
    run: async (t) => {
      const at = async (value: bigint) => {
        const intent = transferIntent(t, { from: newSender(t), value: toHex(value) })
        return decisionOf((await decideWithOracles(t, fixture.priced, { intent })).evaluationResult)
      }
      // 1,000 dollars at 2,000 per coin.
      const limit = 5n * 10n ** 17n
      await t.twin(async () => expectEqual(await at(limit), true, 'at the limit'))
      expectEqual(await at(limit + 1n), false, 'one wei above it')
    },
  },
  {
    // 1-03: Evaluation sees the output of the client’s data oracles.
    // 1-24: data.wasm is the merged oracle output; each oracle is under its pack id, as
    //   data.wasm.<pack_id>.
    // 2.4-04: policyData of policy_task_data is an array of entries.
    id: 'rpc.oracle.task.multi',
    title: 'a task with two oracles is decided on both',
    clauses: ['1-03', '1-24', '2.4-04'],
    level: 'must',
    needs: multiNeeds,
    run: async (t) => {
      const response = await decideWithOracles(t, fixture.multi)
      expectEqual(response.policyTaskData.policyData.length, 2, 'the number of policyData')
      expectEqual(decisionOf(response.evaluationResult), true, 'the decision')
    },
  },
  {
    // 1-11: An oracle exports run(input): it takes a string and returns a JSON string.
    // 1-12: The string given to run is the decoded wasm_args (its bytes as UTF-8 text).
    // 2.1-10: wasm_args is the hex encoding of a UTF-8 JSON string.
    // 2.3-03: wasm_args, where sent, is Data and reaches the oracle.
    id: 'rpc.oracle.echo.any-json',
    title: 'any JSON object as wasm_args reaches the oracle, and is returned, unchanged',
    clauses: ['1-11', '1-12', '2.1-10', '2.3-03'],
    level: 'must',
    needs: echoNeeds,
    run: async (t) => {
      const { address } = t.client(fixture.echo).policyData[0]!
      const inputs = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }))
      await checkProperty(t, 'inputs', inputs, { runs: 12 }, async (input) => {
        const entry = { policy_data_address: address, wasm_args: toHex(JSON.stringify(input)) }
        const answer = await simulateOracle(t, fixture.echo, { policy_data: [entry] })
        const plain = JSON.parse(JSON.stringify(input))
        expectEqual(wasmOf(expectEvaluation(answer)).echo, plain, 'data.wasm.echo')
      })
    },
  },
  {
    // 4.2-14: wasm_args is optional, reaches the oracle, and appears in task.
    // 1-12: The string given to run is the decoded wasm_args (its bytes as UTF-8 text).
    // 1-03: Evaluation sees the output of the client’s data oracles.
    id: 'rpc.oracle.echo.task',
    title: 'wasm_args of a task decides through its oracle',
    clauses: ['4.2-14', '1-12', '1-03'],
    level: 'must',
    needs: echoNeeds,
    twin: 'the same task with the input that the policy requires',
    run: async (t) => {
      const at = async (approval: string) => {
        const wasm_args = wasmArgs(t, fixture.echo, { approval })
        return decisionOf(
          (await decideWithOracles(t, fixture.echo, { wasm_args })).evaluationResult,
        )
      }
      await t.twin(async () => expectEqual(await at('yes'), true, 'the decision'))
      expectEqual(await at('no'), false, 'the decision')
    },
  },
]
