import type { Target } from 'polgate-conformance/core/target.ts'
import { chainCall } from 'polgate-conformance/targets/chainCall.ts'
import { invalidFormat } from 'polgate-protocol/serviceError.ts'
import { operatorUnreachable } from 'polgate-service/operators/operatorErrors.ts'
import { isData, isObject, lenient, someAddress } from './lenient.ts'
import type { Mutant } from './mutant.ts'
import { method } from './parts.ts'
import { requiresBoth } from './permissions.ts'
import {
  changedAnswer,
  changedMember,
  changedParams,
  changedResult,
  type Json,
  refusing,
} from './wrappedListeners.ts'

const unavailable = (error: Json): boolean => typeof error?.ServiceUnavailable === 'string'

/** A fault that needs the fixtures of the stack. */
function knowing(
  rest: Omit<Mutant, 'parts' | 'around'>,
  make: (target: () => Target) => NonNullable<Mutant['parts']>,
): Mutant {
  let known: Target | undefined
  const target = () => {
    if (known === undefined) throw new Error('the target is not known yet')
    return known
  }
  return {
    ...rest,
    parts: make(target),
    around: async (given) => {
      known = given
      return { target: given, close: async () => {} }
    },
  }
}

/** An intent valid on any chain. */
const someIntent = {
  from: someAddress,
  to: someAddress,
  value: '0x0',
  data: '0x',
  chain_id: '0x7a69',
  function_signature: '0x',
}

/** Changes each entry of the supplied data; a caller may send entries that are not objects. */
const changedEntries = (change: (entry: Json) => Json) =>
  changedMember('simulateTask', 'policy_task_data.policyData', (entries) =>
    Array.isArray(entries)
      ? entries.map((entry) => (isObject(entry) ? change(entry) : entry))
      : entries,
  )

/** Faults in simulateTask (section 4.4). */
export const simulateTaskMutants: readonly Mutant[] = [
  requiresBoth('simulate', 'simulateTask', '4.4-01'),
  knowing(
    {
      id: 'simulate.data-stage-run',
      fault: 'simulateTask runs the oracles, though the data is supplied',
      clauses: ['4.4-03', '2.4-06'],
    },
    (target) => (markFired) =>
      method('simulateTask', (params, caller, pass) => {
        const [entry] = params.policy_task_data?.policyData ?? []
        const client = Object.values(target().clients).find(({ policyData }) =>
          policyData.some(
            ({ address }) => address.toLowerCase() === entry?.policyDataAddress.toLowerCase(),
          ),
        )
        if (entry === undefined || client === undefined) return pass(params, caller)
        markFired()
        const { intent } = params
        return pass(
          { intent, policy_client: client.policyClient, wasm_args: entry.wasmArgs },
          caller,
        )
      }),
  ),
  knowing(
    {
      id: 'simulate.mines-a-block',
      fault: 'simulateTask sends a transaction',
      clauses: ['4.4-02'],
    },
    (target) => (markFired) =>
      method('simulateTask', async (params, caller, pass) => {
        const result = await pass(params, caller)
        markFired()
        const { rpcUrl } = target().chain!
        const [from] = (await chainCall(fetch, rpcUrl, 'eth_accounts')) as readonly string[]
        await chainCall(fetch, rpcUrl, 'eth_sendTransaction', [{ from, to: from }])
        return result
      }),
  ),
  {
    id: 'simulate.unavailable-as-error',
    fault: 'reports missing operators as an ordinary JSON-RPC error',
    clauses: ['4.4-04'],
    parts: changedAnswer('simulateTask', (answer, { call }) =>
      unavailable(answer.error)
        ? {
            jsonrpc: '2.0',
            error: { code: -32603, message: answer.error.ServiceUnavailable },
            id: call.id,
          }
        : answer,
    ),
  },
  {
    id: 'simulate.unavailable-with-id',
    fault: 'reports missing operators with the id of the call',
    clauses: ['4.4-04'],
    parts: changedAnswer('simulateTask', (answer, { call }) =>
      unavailable(answer.error) ? { ...answer, id: call.id } : answer,
    ),
  },
  {
    id: 'simulate.unavailable-words',
    fault: 'reports missing operators in other words',
    clauses: ['7.3-14'],
    parts: changedAnswer('simulateTask', (answer) =>
      unavailable(answer.error)
        ? { ...answer, error: { ServiceUnavailable: 'try again later' } }
        : answer,
    ),
  },
  lenient('simulate.lenient-task-intent', ['4.4-05'], {
    method: 'simulateTask',
    path: 'intent',
    fits: isObject,
    right: someIntent,
  }),
  {
    id: 'simulate.lenient-task-data',
    fault: 'simulateTask accepts anything as policy_task_data, and simulates without a policy',
    clauses: ['4.4-06'],
    parts: changedParams('simulateTask', (params) => {
      const data = params?.policy_task_data
      if (typeof params !== 'object' || (isObject(data) && 'policyId' in data)) return params
      return {
        ...params,
        policy_task_data: {
          policyId: `0x${'11'.repeat(32)}`,
          policyAddress: someAddress,
          policy: '0x',
          policyData: [],
        },
      }
    }),
  },
  {
    id: 'simulate.unknown-id-without-params',
    fault:
      'simulateTask evaluates with empty parameters where the policy does not know the policyId',
    clauses: ['1-23'],
    parts: (markFired) => ({
      chain: (chain) => ({
        ...chain,
        configuredPolicy: async (...args) => {
          const configured = await chain.configuredPolicy(...args)
          if (configured.policyConfig !== undefined) return configured
          markFired()
          return { ...configured, policyConfig: { policyParams: '', expireAfter: 0 } }
        },
      }),
    }),
  },
  {
    id: 'simulate.expired-data-taken',
    fault: 'simulateTask evaluates supplied data that has expired',
    clauses: ['4.4-15'],
    parts: changedEntries((entry) =>
      entry.expireBlock === 1 ? { ...entry, expireBlock: 0 } : entry,
    ),
  },
  {
    id: 'simulate.forged-attestation-taken',
    fault: 'simulateTask ignores the attestation of supplied data',
    clauses: ['4.4-16'],
    parts: changedEntries(({ attestation, ...entry }) =>
      isData(attestation) ? entry : { attestation, ...entry },
    ),
  },
  {
    id: 'simulate.other-client-ignored',
    fault: 'simulateTask ignores policy_client if there is policy_task_data',
    clauses: ['4.4-17'],
    parts: changedParams('simulateTask', (params) => {
      if (params?.policy_task_data !== undefined) delete params.policy_client
      return params
    }),
  },
  {
    id: 'simulate.attestation-required',
    fault: 'simulateTask refuses data without an attestation',
    clauses: ['2.4-10'],
    parts: refusing('simulateTask', (params) =>
      params?.policy_task_data?.policyData?.some?.(
        (entry: Json) => entry?.policyDataAddress && entry.attestation === undefined,
      ),
    ),
  },
  {
    id: 'simulate.reason-without-oracle',
    fault: 'simulateTask does not name the error of an oracle in reason',
    clauses: ['4.4-18'],
    parts: changedResult('simulateTask', (r) =>
      typeof r.result?.reason === 'string'
        ? { ...r, result: { ...r.result, reason: r.result.reason.replaceAll('under water', '') } }
        : r,
    ),
  },
  {
    id: 'simulate.task-success-as-text',
    fault: 'simulateTask returns success as a string',
    clauses: ['4.4-07'],
    parts: changedResult('simulateTask', (r) => ({ ...r, success: r.success ? 'ok' : 'failed' })),
  },
  {
    id: 'simulate.task-result-bare',
    fault: 'simulateTask returns the bare decision as result',
    clauses: ['4.4-08'],
    parts: changedResult('simulateTask', (r) => ({ ...r, result: r.result?.allow ?? null })),
  },
  {
    id: 'simulate.task-error-as-object',
    fault: 'simulateTask returns a failure as an object',
    clauses: ['4.4-09'],
    parts: changedResult('simulateTask', (r) =>
      r.success === false ? { ...r, error: { message: r.error } } : r,
    ),
  },
  {
    id: 'simulate.unknown-policy-denies',
    fault: 'simulateTask reports a policy that cannot be read as a denial',
    clauses: ['4.4-09', '7.3-12'],
    parts: changedResult('simulateTask', (r) =>
      r.success === false && /Contract read failed/.test(r.error)
        ? { success: true, result: { allow: false, reason: '' }, error: null }
        : r,
    ),
  },
  {
    id: 'simulate.task-details-as-list',
    fault: 'simulateTask returns details as a list',
    clauses: ['4.4-10'],
    parts: changedResult('simulateTask', (r) =>
      r.details ? { ...r, details: Object.entries(r.details) } : r,
    ),
  },
  {
    id: 'simulate.decimal-chain-id-refused',
    fault: 'simulateTask refuses chain_id as a decimal string',
    clauses: ['4.4-11'],
    parts: (markFired) =>
      method('simulateTask', async (params, caller, pass) => {
        if (params.intent.chain_id.startsWith('0x')) return pass(params, caller)
        markFired()
        throw invalidFormat('intent.chain_id must be a Quantity')
      }),
  },
  {
    id: 'simulate.first-operator-alone',
    fault: 'uses only the first operator for simulations',
    clauses: ['4.4-14'],
    parts: (markFired) => {
      let operators = 0
      return {
        operator: (operator) => {
          if (operators++ === 0) return operator
          return {
            ...operator,
            evaluate: async () => {
              markFired()
              throw operatorUnreachable('it is never called')
            },
          }
        },
      }
    },
  },
]
