import type { Address } from 'polgate-protocol/scalars.ts'
import { invalidFormat } from 'polgate-protocol/serviceError.ts'
import { loadEncryptionKey } from 'polgate-service/envelopes/encryptionKey.ts'
import { openEnvelope, sealEnvelope } from 'polgate-service/envelopes/envelope.ts'
import { sealSecrets } from 'polgate-service/envelopes/secrets.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { TaskDeps } from 'polgate-service/tasks/taskDeps.ts'
import { isAddress, lenient, someAddress } from './lenient.ts'
import type { MarkFired, Mutant } from './mutant.ts'
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
            put: async (scope, envelope, right) => {
              last.set(scope.policyDataAddress, { client: scope.policyClient, envelope })
              return deps.secrets.put(scope, envelope, right)
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
    id: 'simulate.privacy-key-opened',
    fault: 'simulatePolicyData opens secrets that are sealed to the privacy key as well',
    clauses: ['4.6-11', '4.10-34'],
    ...(() => {
      let privacy: ReturnType<typeof loadEncryptionKey> | undefined
      return {
        config: (config: ServiceConfigInput) => {
          if (config.keys?.privacy !== undefined) privacy = loadEncryptionKey(config.keys.privacy)
          return config
        },
        parts: (markFired: MarkFired): ServiceParts => {
          let recipientPublicKey = ''
          return {
            gateway: (deps) => {
              recipientPublicKey = deps.encryptionKeys.secretsPublicKey
              return deps
            },
            ...method(name, async (params, caller, pass) => {
              const envelope = Buffer.from(params.secrets ?? '', 'base64').toString()
              const { policy_client: policyClient, chain_id: chainId } =
                objectIn(params.secrets ?? '') ?? {}
              const scope = { policyClient, chainId }
              const plaintext =
                privacy === undefined
                  ? undefined
                  : await openEnvelope({ envelope, key: await privacy, ...scope }).catch(
                      () => undefined,
                    )
              if (plaintext === undefined) return pass(params, caller)
              markFired()
              const sealed = await sealEnvelope({ plaintext, ...scope, recipientPublicKey })
              return pass({ ...params, secrets: Buffer.from(sealed).toString('base64') }, caller)
            }),
          }
        },
      }
    })(),
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
