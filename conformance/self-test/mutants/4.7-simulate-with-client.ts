import { isAddress, lenient, someAddress } from './lenient.ts'
import type { Mutant } from './mutant.ts'
import { dataStage, method } from './parts.ts'
import { requiresBoth } from './permissions.ts'
import { changedResult } from './wrappedListeners.ts'

const name = 'simulatePolicyDataWithClient'

/** Faults in simulatePolicyDataWithClient (section 4.7). */
export const simulateWithClientMutants: readonly Mutant[] = [
  requiresBoth('simulate', name, '4.7-01'),
  lenient('simulate.lenient-client-run-policy-data', ['4.7-02'], {
    method: name,
    path: 'policy_data_address',
    fits: isAddress,
    right: someAddress,
  }),
  lenient('simulate.lenient-client-run-client', ['4.7-03'], {
    method: name,
    path: 'policy_client',
    fits: isAddress,
    right: someAddress,
  }),
  {
    id: 'simulate.client-run-wasm-args-ignored',
    fault: 'simulatePolicyDataWithClient runs the oracle without the sent wasm_args',
    clauses: ['4.7-04'],
    parts: (markFired) =>
      method(name, ({ wasm_args, ...params }, caller, pass) => {
        if (wasm_args !== undefined) markFired()
        return pass(params, caller)
      }),
  },
  {
    id: 'secrets.for-tasks-alone',
    fault: 'uses stored secrets in tasks but not in simulations',
    clauses: ['4.7-05', '4.8-14'],
    parts: (markFired) =>
      dataStage((request, pass) => {
        if (request.referenceBlock !== undefined) return pass(request)
        const sources = request.sources.map((source) => {
          if (source.envelope !== null) markFired()
          return { ...source, envelope: null }
        })
        return pass({ ...request, sources })
      }),
  },
  {
    id: 'simulate.client-run-of-its-own-form',
    fault: 'simulatePolicyDataWithClient names the client in policy_data',
    clauses: ['4.7-06'],
    parts: changedResult(name, (result, { call }) =>
      result.policy_data
        ? {
            ...result,
            policy_data: { ...result.policy_data, policy_client: call.params.policy_client },
          }
        : result,
    ),
  },
]
