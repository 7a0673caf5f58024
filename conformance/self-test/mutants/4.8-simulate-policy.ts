import { isAddress, isArray, isObject, isString, lenient, someAddress } from './lenient.ts'
import type { Mutant } from './mutant.ts'
import { evaluator, method } from './parts.ts'
import { requiresBoth } from './permissions.ts'
import { changedParams, changedResult } from './wrappedListeners.ts'

const name = 'simulatePolicy'

/** Faults in simulatePolicy (section 4.8). */
export const simulatePolicyMutants: readonly Mutant[] = [
  requiresBoth('simulate', name, '4.8-01'),
  lenient('simulate.lenient-policy-client', ['4.8-02'], {
    method: name,
    path: 'policy_client',
    fits: isAddress,
    right: someAddress,
  }),
  lenient('simulate.lenient-policy-source', ['4.8-03'], {
    method: name,
    path: 'policy',
    fits: isString,
    right: 'package policy\n',
  }),
  lenient('simulate.lenient-policy-intent', ['4.8-04'], {
    method: name,
    path: 'intent',
    fits: isObject,
    right: {
      from: someAddress,
      to: someAddress,
      value: '0x0',
      data: '0x',
      chain_id: '0x7a69',
      function_signature: '0x',
    },
  }),
  lenient('simulate.policy-data-optional', ['4.8-05'], {
    method: name,
    path: 'policy_data',
    fits: isArray,
    right: [],
  }),
  {
    id: 'simulate.entrypoint-default-wrong',
    fault: 'evaluates policy.main if no entrypoint is given',
    clauses: ['4.8-06'],
    parts: (markFired) =>
      method(name, (params, caller, pass) => {
        if (params.entrypoint === undefined) markFired()
        return pass({ ...params, entrypoint: params.entrypoint ?? 'policy.main' }, caller)
      }),
  },
  {
    id: 'simulate.entrypoint-ignored',
    fault: 'evaluates policy.allow for every entrypoint',
    clauses: ['4.8-06'],
    parts: (markFired) =>
      method(name, ({ entrypoint, ...params }, caller, pass) => {
        if (entrypoint !== undefined && entrypoint !== 'policy.allow') markFired()
        return pass(params, caller)
      }),
  },
  {
    id: 'simulate.params-default-null',
    fault: 'passes policies null as data.params if none are given',
    clauses: ['4.8-07'],
    parts: (markFired) =>
      evaluator((evaluation, pass) => {
        if (evaluation.params !== '{}') return pass(evaluation)
        markFired()
        return pass({ ...evaluation, params: 'null' })
      }),
  },
  {
    id: 'simulate.params-required',
    fault: 'requires policy_params',
    clauses: ['4.8-07'],
    parts: changedParams(name, (params) =>
      isObject(params) && params.policy_params === undefined
        ? { ...params, policy_params: [] }
        : params,
    ),
  },
  {
    id: 'simulate.params-ignored',
    fault: 'evaluates without the sent policy_params',
    clauses: ['4.8-08', '1-23'],
    parts: (markFired) =>
      method(name, ({ policy_params, ...params }, caller, pass) => {
        if (policy_params !== undefined) markFired()
        return pass(params, caller)
      }),
  },
  {
    id: 'simulate.intent-signature-ignored',
    fault: 'simulatePolicy does not pass intent_signature to the policy',
    clauses: ['4.8-10'],
    parts: (markFired) =>
      method(name, ({ intent_signature, ...params }, caller, pass) => {
        if (intent_signature !== undefined) markFired()
        return pass(params, caller)
      }),
  },
  {
    id: 'simulate.evaluation-not-nested',
    fault: 'returns the members of the evaluation next to success',
    clauses: ['4.8-11'],
    parts: changedResult(name, ({ evaluation_result, ...result }) => ({
      ...result,
      ...evaluation_result,
    })),
  },
  {
    id: 'simulate.policy-failure-without-error',
    fault: 'simulatePolicy fails without an error text',
    clauses: ['4.8-12'],
    parts: changedResult(name, (result) =>
      result.success === false ? { ...result, error: '' } : result,
    ),
  },
  {
    id: 'simulate.oracles-not-run',
    fault: 'simulatePolicy runs no oracle, and evaluates without data',
    clauses: ['4.8-13'],
    parts: (markFired) =>
      method(name, (params, caller, pass) => {
        if (params.policy_data.length > 0) markFired()
        return pass({ ...params, policy_data: [] }, caller)
      }),
  },
  {
    id: 'simulate.missing-miscounted',
    fault: 'counts every listed PolicyData as missing its secrets',
    clauses: ['4.8-19', '7.3-07'],
    parts: changedResult(name, (result, { call }) =>
      result.error_details
        ? {
            ...result,
            error: `Missing secrets for ${call.params.policy_data.length + 1} PolicyData contract(s)`,
          }
        : result,
    ),
  },
]
