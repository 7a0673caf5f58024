import type { Address } from 'polgate-protocol/scalars.ts'
import { invalidFormat } from 'polgate-protocol/serviceError.ts'
import { sealSecrets } from 'polgate-service/envelopes/secrets.ts'
import type { TaskDeps } from 'polgate-service/tasks/taskDeps.ts'
import { isAddress, lenient, someAddress } from './lenient.ts'
import type { Mutant } from './mutant.ts'
import { method } from './parts.ts'
import { requiresBoth } from './permissions.ts'
import { changedResult, type Json } from './wrappedListeners.ts'

const name = 'simulatePolicyData'
const nobody: Address = `0x${'0'.repeat(40)}`

function objectIn(base64: string): Json {
  try {
    return JSON.parse(Buffer.from(base64, 'base64').toString())
  } catch {
    return undefined
  }
}

/** Faults in simulatePolicyData (section 4.6). */
export const simulatePolicyDataMutants: readonly Mutant[] = [
  requiresBoth('simulate', name, '4.6-01'),
  lenient('simulate.lenient-run-policy-data', ['4.6-02'], {
    method: name,
    path: 'policy_data_address',
    fits: isAddress,
    right: someAddress,
  }),
  {
    id: 'simulate.chain-id-ignored',
    fault: 'simulatePolicyData runs on its own chain, ignoring chain_id',
    clauses: ['4.6-03'],
    parts: (markFired) => {
      let own = 0
      return {
        chain: (chain) => {
          own = chain.chainId
          return chain
        },
        ...method(name, (params, caller, pass) => {
          if (params.chain_id !== own) markFired()
          return pass({ ...params, chain_id: own }, caller)
        }),
      }
    },
  },
  {
    id: 'simulate.own-secrets-ignored',
    fault: 'simulatePolicyData ignores the sent secrets',
    clauses: ['4.6-04'],
    parts: (markFired) =>
      method(name, ({ secrets, ...params }, caller, pass) => {
        if (secrets !== undefined) markFired()
        return pass(params, caller)
      }),
  },
  {
    id: 'simulate.own-secrets-required',
    fault: 'simulatePolicyData requires secrets for every oracle',
    clauses: ['4.6-04'],
    parts: (markFired) =>
      method(name, async (params, caller, pass) => {
        if (params.secrets !== undefined) return pass(params, caller)
        markFired()
        throw invalidFormat('secrets is required')
      }),
  },
  {
    id: 'simulate.run-wasm-args-ignored',
    fault: 'simulatePolicyData runs the oracle without the sent wasm_args',
    clauses: ['4.6-05'],
    parts: (markFired) =>
      method(name, ({ wasm_args, ...params }, caller, pass) => {
        if (wasm_args !== undefined) markFired()
        return pass(params, caller)
      }),
  },
  {
    id: 'simulate.run-without-success',
    fault: 'simulatePolicyData returns only the policy data',
    clauses: ['4.6-06'],
    parts: changedResult(name, (result) => (result.success ? result.policy_data : result)),
  },
  {
    id: 'simulate.run-failure-without-error',
    fault: 'simulatePolicyData fails without an error text',
    clauses: ['4.6-07'],
    parts: changedResult(name, (result) =>
      result.success === false ? { ...result, error: null } : result,
    ),
  },
  {
    id: 'simulate.own-secrets-kept',
    fault: 'simulatePolicyData stores the sent secrets for the client that they name',
    clauses: ['4.6-09'],
    parts: (markFired) => {
      let keep: TaskDeps['secrets']['put'] | undefined
      return {
        taskDeps: (deps) => {
          keep = deps.secrets.put
          return deps
        },
        ...method(name, async (params, caller, pass) => {
          const result = await pass(params, caller)
          const envelope = Buffer.from(params.secrets ?? '', 'base64').toString()
          const policyClient = objectIn(params.secrets ?? '')?.policy_client
          if (!result.success || keep === undefined || policyClient === undefined) return result
          markFired()
          await keep({ policyClient, policyDataAddress: params.policy_data_address }, envelope)
          return result
        }),
      }
    },
  },
  {
    id: 'simulate.stored-secrets-lent',
    fault: 'simulatePolicyData runs an oracle with the last secrets stored by any client',
    clauses: ['4.6-10'],
    parts: (markFired) => {
      const last = new Map<string, { client: Address; envelope: string }>()
      return {
        taskDeps: (deps) => ({
          ...deps,
          secrets: {
            ...deps.secrets,
            put: async (scope, envelope) => {
              last.set(scope.policyDataAddress, { client: scope.policyClient, envelope })
              await deps.secrets.put(scope, envelope)
            },
          },
        }),
        operator: (operator) => ({
          ...operator,
          collectData: (request, signal) => {
            const [source] = request.sources
            const lent = last.get(source?.policyDataAddress.toLowerCase() ?? '')
            if (request.policyClient !== nobody || !source || !lent)
              return operator.collectData(request, signal)
            markFired()
            const sources = [{ ...source, envelope: lent.envelope }]
            return operator.collectData({ policyClient: lent.client, sources }, signal)
          },
        }),
      }
    },
  },
  {
    id: 'secrets.plaintext-taken',
    fault: 'simulatePolicyData accepts secrets that were not sealed',
    clauses: ['4.6-11'],
    parts: (markFired) => {
      let recipientPublicKey = ''
      let chainId = 0
      return {
        chain: (chain) => {
          chainId = chain.chainId
          return chain
        },
        gateway: (deps) => {
          recipientPublicKey = deps.encryptionKeys.secretsPublicKey
          return deps
        },
        ...method(name, async (params, caller, pass) => {
          const secrets = objectIn(params.secrets ?? '')
          if (typeof secrets !== 'object' || secrets === null || 'ciphertext' in secrets)
            return pass(params, caller)
          markFired()
          const sealing = { secrets, policyClient: nobody, chainId, recipientPublicKey }
          const sealed = Buffer.from(await sealSecrets(sealing)).toString('base64')
          return pass({ ...params, secrets: sealed }, caller)
        }),
      }
    },
  },
]
