import type { Check } from '../core/check.ts'
import { expectEqual } from '../core/expect.ts'
import { expectResultObject } from '../kit/assertions/expectAnswer.ts'
import * as shape from '../kit/assertions/shape.ts'
import { expectShape } from '../kit/assertions/shape.ts'
import {
  acceptedSimulation,
  allowingPolicy,
  evaluate,
  expectEvaluation,
  policyOf,
  simulatePolicy,
} from '../kit/scenarios/simulation.ts'
import { simulatePolicySubject } from '../kit/scenarios/subjects.ts'

/** Section 4.8: simulatePolicy on policies that need no oracle. */
const { needs } = simulatePolicySubject

export const simulatePolicyChecks: readonly Check[] = [
  {
    // 4.8-01: A key with RpcRead may simulate policies.
    // 4.8-11: The answer has success, and evaluation_result on success.
    // 2.6-11: evaluation_result.result is true or false for a boolean rule.
    // 1-17: Policies are evaluated as Rego v1.
    id: 'rpc.simulatePolicy.allow',
    title: 'a policy that allows returns success and the result true',
    clauses: ['4.8-01', '4.8-11', '2.6-11', '1-17'],
    level: 'must',
    needs,
    run: async (t) => {
      expectEqual(await evaluate(t, allowingPolicy), true, 'the result')
    },
  },
  {
    // 2.6-04: evaluation_result.policy is the evaluated source.
    // 2.6-09: policy_params_and_data is {params, wasm}: the parameters and the merged oracle
    //   output.
    // 2.6-10: evaluation_result.entrypoint is a string.
    // 2.6-13: expire_after is 0 in a simulation.
    // 4.8-11: The answer has success, and evaluation_result on success.
    // 8-07: expire_after is 0 in a simulation.
    id: 'rpc.simulatePolicy.shape',
    title: 'evaluation_result has the members of section 2.6 with their types',
    clauses: ['2.6-04', '2.6-09', '2.6-10', '2.6-13', '4.8-11', '8-07'],
    level: 'must',
    needs,
    run: async (t) => {
      const evaluation = await acceptedSimulation(t)
      expectShape(
        evaluation,
        {
          policy: shape.string,
          parsed_intent: shape.object,
          policy_params_and_data: shape.object,
          entrypoint: shape.string,
          expire_after: shape.oneOf(0),
        },
        'evaluation_result',
      )
      expectEqual(evaluation.policy, allowingPolicy, 'evaluation_result.policy')
      expectEqual(evaluation.entrypoint, 'policy.allow', 'evaluation_result.entrypoint')
    },
  },
  {
    // 2.6-14: error_details appears only when secrets are missing.
    id: 'rpc.simulatePolicy.no-error-details',
    title: 'error_details is absent if no secret is missing',
    clauses: ['2.6-14'],
    level: 'must',
    needs,
    run: async (t) => {
      const good = expectResultObject(await simulatePolicy(t, allowingPolicy))
      expectEqual(good.success, true, 'success')
      expectEqual(good.error_details ?? null, null, 'error_details of a success')
      const bad = expectResultObject(await simulatePolicy(t, 'package policy\nallow if'))
      expectEqual(bad.success, false, 'success of a policy that does not parse')
      expectEqual(bad.error_details ?? null, null, 'error_details of a syntax error')
    },
  },
  {
    // 1-25: A policy with an empty deny set allows; one with a reason in deny does not.
    // 2.6-11: evaluation_result.result is true or false for a boolean rule.
    id: 'rpc.simulatePolicy.deny',
    title: 'one reason in deny and the policy does not allow',
    clauses: ['1-25', '2.6-11'],
    level: 'must',
    needs,
    twin: 'the same policy without the reason',
    run: async (t) => {
      await t.twin(() => acceptedSimulation(t))
      const result = await evaluate(t, policyOf('deny contains "always"'))
      expectEqual(result, false, 'the result')
    },
  },
  {
    // 1-26: Two deny conditions at once still deny.
    // 2.6-12: evaluation_result.result may be a complex value.
    id: 'rpc.simulatePolicy.two-denies',
    title: 'two reasons at once still deny, and both are in deny',
    clauses: ['1-26', '2.6-12'],
    level: 'must',
    needs,
    twin: 'the same policy without the reasons',
    run: async (t) => {
      await t.twin(() => acceptedSimulation(t))
      const policy = policyOf('deny contains "first"', 'deny contains "second"')
      expectEqual(await evaluate(t, policy), false, 'allow')
      const reasons = await evaluate(t, policy, { entrypoint: 'policy.deny' })
      expectEqual([...(reasons as string[])].sort(), ['first', 'second'], 'deny')
    },
  },
  {
    // 4.8-06: entrypoint is optional; the default is policy.allow.
    // 2.6-12: evaluation_result.result may be a complex value.
    // 2.6-10: evaluation_result.entrypoint is a string.
    id: 'rpc.simulatePolicy.entrypoint',
    title: 'another entrypoint is evaluated, and complex values are returned completely',
    clauses: ['4.8-06', '2.6-12', '2.6-10'],
    level: 'must',
    needs,
    run: async (t) => {
      const policy = policyOf(
        'deny := []',
        'verdict := {"tier": 2, "tags": ["a", "b"], "note": null}',
      )
      const answer = await simulatePolicy(t, policy, { entrypoint: 'policy.verdict' })
      const evaluation = expectEvaluation(answer)
      expectEqual(evaluation.result, { tier: 2, tags: ['a', 'b'], note: null }, 'the result')
      expectEqual(evaluation.entrypoint, 'policy.verdict', 'the entrypoint')
    },
  },
  {
    // 4.8-06: entrypoint is optional; the default is policy.allow.
    id: 'rpc.simulatePolicy.entrypoint-default',
    title: 'without an entrypoint policy.allow is evaluated, and no other package',
    clauses: ['4.8-06'],
    level: 'must',
    needs,
    run: async (t) => {
      const policy = 'package policy\nallow := "by default"\nother := "by name"\n'
      expectEqual(await evaluate(t, policy), 'by default', 'the result without entrypoint')
      const named = await evaluate(t, policy, { entrypoint: 'policy.other' })
      expectEqual(named, 'by name', 'the result with entrypoint')
    },
  },
  {
    // 4.8-08: policy_params is what the policy reads as data.params.
    // 1-23: data.params is the configuration of the policy client.
    // 2.6-09: policy_params_and_data is {params, wasm}: the parameters and the merged oracle
    //   output.
    id: 'rpc.simulatePolicy.params',
    title: 'policy_params is data.params',
    clauses: ['4.8-08', '1-23', '2.6-09'],
    level: 'must',
    needs,
    run: async (t) => {
      const params = { limit: 7, list: ['x', { y: null }], nested: { deep: true } }
      const policy = policyOf('deny := []', 'seen := data.params')
      const answer = await simulatePolicy(t, policy, {
        policy_params: params,
        entrypoint: 'policy.seen',
      })
      const evaluation = expectEvaluation(answer)
      expectEqual(evaluation.result, params, 'data.params')
      const shown = evaluation.policy_params_and_data as { params?: unknown }
      expectEqual(shown.params, params, 'policy_params_and_data.params')
    },
  },
  {
    // 4.8-08: policy_params is what the policy reads as data.params.
    // 1-23: data.params is the configuration of the policy client.
    id: 'rpc.simulatePolicy.params-null',
    title: 'a policy can refer to parameters that are null',
    clauses: ['4.8-08', '1-23'],
    level: 'must',
    needs,
    run: async (t) => {
      const seen = '[data.params.limit, data.params.list[0], data.params.nested.deep]'
      const result = await evaluate(t, policyOf('deny := []', `seen := ${seen}`), {
        policy_params: { limit: null, list: [null], nested: { deep: null } },
        entrypoint: 'policy.seen',
      })
      expectEqual(result, [null, null, null], 'the parameters')
    },
  },
  {
    // 4.8-07: policy_params is optional; the default is {}.
    id: 'rpc.simulatePolicy.params-default',
    title: 'without policy_params data.params is {}',
    clauses: ['4.8-07'],
    level: 'must',
    needs,
    run: async (t) => {
      const policy = policyOf('deny := []', 'seen := data.params')
      expectEqual(await evaluate(t, policy, { entrypoint: 'policy.seen' }), {}, 'data.params')
    },
  },
  {
    // 4.8-10: intent_signature is optional and is what the policy reads as input.intent_signature.
    // 1-22: input.intent_signature is there for a policy that consumes it, when the caller sent
    //   one.
    id: 'rpc.simulatePolicy.intent-signature',
    title: 'intent_signature is input.intent_signature, and is absent if none was sent',
    clauses: ['4.8-10', '1-22'],
    level: 'must',
    needs,
    run: async (t) => {
      const signature = `0x${'5a'.repeat(64)}1b`
      const policy = policyOf('deny := []', 'seen := input.intent_signature')
      const options = { entrypoint: 'policy.seen' }
      const seen = await evaluate(t, policy, { ...options, intent_signature: signature })
      expectEqual(seen, signature, 'input.intent_signature')
      const absent = policyOf('deny := []', 'absent if not input.intent_signature')
      expectEqual(await evaluate(t, absent, { entrypoint: 'policy.absent' }), true, 'its absence')
    },
  },
]
