import type { Check } from '../core/check.ts'
import { expectEqual, expectMatch, type JsonObject } from '../core/expect.ts'
import * as shape from '../kit/assertions/shape.ts'
import { expectShape } from '../kit/assertions/shape.ts'
import { transferIntent } from '../kit/scenarios/requests.ts'
import {
  acceptedSimulation,
  allowingPolicy,
  expectEvaluation,
  policyOf,
  simulatePolicy,
} from '../kit/scenarios/simulation.ts'
import { simulatePolicySubject } from '../kit/scenarios/subjects.ts'

/** Section 2.6: the input and output of a simulated policy. */
const { needs } = simulatePolicySubject

const resultIs = (id: string, rule: string, expected: unknown): Check => ({
  id,
  title: `a rule that is ${rule} returns that value`,
  clauses: [typeof expected === 'boolean' ? '2.6-11' : '2.6-12'],
  level: 'must',
  needs,
  run: async (t) => {
    const policy = policyOf('deny := []', `probe := ${rule}`)
    const answer = await simulatePolicy(t, policy, { entrypoint: 'policy.probe' })
    expectEqual(expectEvaluation(answer).result, expected, 'the result')
  },
})

export const simulationResults: readonly Check[] = [
  // 2.6-11: evaluation_result.result is true or false for a boolean rule.
  resultIs('rpc.evaluation.result.true', 'true', true),
  resultIs('rpc.evaluation.result.false', 'false', false),
  // 2.6-12: evaluation_result.result may be a complex value.
  resultIs('rpc.evaluation.result.null', 'null', null),
  resultIs('rpc.evaluation.result.string', '"a \\"quoted\\" ✓"', 'a "quoted" ✓'),
  resultIs('rpc.evaluation.result.number', '-12.5', -12.5),
  resultIs('rpc.evaluation.result.array', '[1, [2, []], {}]', [1, [2, []], {}]),
  resultIs(
    'rpc.evaluation.result.object',
    '{"__proto__": 1, "a": {"b": null}}',
    JSON.parse('{"__proto__":1,"a":{"b":null}}'),
  ),
  resultIs('rpc.evaluation.result.set', '{3, 1, 2}', [1, 2, 3]),
  {
    // 2.6-05: parsed_intent shows addresses in lowercase.
    // 2.6-06: parsed_intent shows value as a number.
    // 2.6-08: parsed_intent shows chain_id as a number.
    id: 'rpc.evaluation.parsed-intent.shape',
    title: 'parsed_intent has lowercase addresses and numbers for value and chain_id',
    clauses: ['2.6-05', '2.6-06', '2.6-08'],
    level: 'must',
    needs,
    run: async (t) => {
      const letters = 'ABCDEF0123456789ABCDEFABCDEFABCDEFABCDEF'
      const intent = transferIntent(t, { to: `0x${letters}`, value: '0x10' })
      const evaluation = expectEvaluation(await simulatePolicy(t, allowingPolicy, { intent }))
      expectShape(
        evaluation.parsed_intent,
        {
          from: shape.oneOf(intent.from.toLowerCase()),
          to: shape.oneOf(`0x${letters.toLowerCase()}`),
          value: shape.oneOf(16),
          chain_id: shape.oneOf(Number(intent.chain_id)),
        },
        'parsed_intent',
      )
    },
  },
  {
    // 2.6-06: parsed_intent shows value as a number.
    id: 'rpc.evaluation.parsed-intent.large-value',
    title: 'a value past 2^53 keeps every digit in parsed_intent',
    clauses: ['2.6-06'],
    level: 'must',
    needs,
    run: async (t) => {
      const intent = transferIntent(t, { value: '0x20000000000001' })
      const answer = await simulatePolicy(t, allowingPolicy, { intent })
      expectEvaluation(answer)
      // Compared as text: JSON parsed into doubles would lose the last digit unnoticed.
      expectMatch(answer.exchange.body, /"value"\s*:\s*9007199254740993\b/, 'the body')
    },
  },
  {
    // 2.6-09: policy_params_and_data is {params, wasm}: the parameters and the merged oracle
    //   output.
    // 1-23: data.params is the configuration of the policy client.
    id: 'rpc.evaluation.params-and-data',
    title: 'policy_params_and_data is {params, wasm}, both as in the policy’s input',
    clauses: ['2.6-09', '1-23'],
    level: 'must',
    needs,
    run: async (t) => {
      const evaluation = await acceptedSimulation(t)
      const shown = evaluation.policy_params_and_data as JsonObject
      expectEqual(shown, { params: {}, wasm: {} }, 'policy_params_and_data without both')
    },
  },
]
