import { RawJson } from 'polgate-protocol/exactJson.ts'
import { parseEnvelope } from 'polgate-service/envelopes/envelope.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { TaskDeps } from 'polgate-service/tasks/taskDeps.ts'
import type { TaskService } from 'polgate-service/tasks/taskService.ts'
import { isAddress, lenient, someAddress } from './lenient.ts'
import type { MarkFired, Mutant } from './mutant.ts'
import { method, uploadStage } from './parts.ts'
import { requiresBoth } from './permissions.ts'
import { changedAnswer, changedResult } from './wrappedListeners.ts'

const store = 'storeEncryptedSecrets'

type Stored = Awaited<ReturnType<TaskService[typeof store]>>

/** Faults that store uploads regardless of validation. */
const storingToo =
  (fault: (result: Stored, put: () => Promise<unknown>, markFired: MarkFired) => Promise<Stored>) =>
  (markFired: MarkFired): ServiceParts => {
    let secrets: TaskDeps['secrets'] | undefined
    return {
      taskDeps: (deps) => {
        secrets = deps.secrets
        return deps
      },
      ...method(store, async (params, caller, pass) => {
        const { policy_client: policyClient, policy_data_address: policyDataAddress } = params
        const put = async () => secrets?.put({ policyClient, policyDataAddress }, params.envelope)
        return fault(await pass(params, caller), put, markFired)
      }),
    }
  }

/** Faults in storeEncryptedSecrets (section 4.5). */
export const storeSecretsMutants: readonly Mutant[] = [
  requiresBoth('secrets', store, '4.5-01'),
  lenient('secrets.lenient-client', ['4.5-02'], {
    method: store,
    path: 'policy_client',
    fits: isAddress,
    right: someAddress,
  }),
  lenient('secrets.lenient-policy-data', ['4.5-03'], {
    method: store,
    path: 'policy_data_address',
    fits: isAddress,
    right: someAddress,
  }),
  {
    id: 'secrets.no-envelope-is-operational',
    fault: 'reports a missing envelope, or one that is not a string, as an operational failure',
    clauses: ['4.5-04'],
    parts: changedAnswer(store, (answer) =>
      /envelope/.test(answer.error?.message)
        ? {
            jsonrpc: '2.0',
            result: { success: false, schema: null, error: answer.error.message },
            id: answer.id,
          }
        : answer,
    ),
  },
  {
    id: 'secrets.unopened-stored',
    fault: 'stores an envelope that it cannot open',
    clauses: ['4.5-09'],
    parts: (markFired) =>
      uploadStage((request, pass) =>
        pass(request).catch((error: Error) => {
          if (!/does not open|sealed to another key/.test(error.message)) throw error
          markFired()
          return { schema: '{}' }
        }),
      ),
  },
  {
    id: 'secrets.success-as-number',
    fault: 'storeEncryptedSecrets returns success as 1',
    clauses: ['4.5-05'],
    parts: changedResult(store, (result) => ({ ...result, success: result.success ? 1 : 0 })),
  },
  {
    id: 'secrets.schema-not-told',
    fault: 'does not return the schema that the secrets were validated against',
    clauses: ['4.5-06'],
    parts: changedResult(store, ({ schema: _, ...result }) => result),
  },
  {
    id: 'secrets.schema-as-text',
    fault: 'returns the schema of the secrets as a string',
    clauses: ['4.5-06'],
    parts: changedResult(store, (result) =>
      result.schema ? { ...result, schema: JSON.stringify(result.schema) } : result,
    ),
  },
  {
    id: 'secrets.failure-without-error',
    fault: 'refuses an upload without an error text',
    clauses: ['4.5-07'],
    parts: changedResult(store, (result) =>
      result.success === false ? { ...result, error: null } : result,
    ),
  },
  {
    id: 'secrets.earlier-upload-kept',
    fault: 'keeps the earlier secrets of a pair, but reports success for the later ones',
    clauses: ['4.5-12'],
    parts: (markFired) => ({
      taskDeps: (deps) => ({
        ...deps,
        secrets: {
          ...deps.secrets,
          put: async (scope, envelope, right) => {
            if ((await deps.secrets.get(scope)) === undefined)
              return deps.secrets.put(scope, envelope, right)
            markFired()
            return 'stored'
          },
        },
      }),
    }),
  },
  {
    id: 'secrets.moved-envelope-stored',
    fault: 'stores an envelope that was sealed for another client or chain',
    clauses: ['4.5-13'],
    parts: storingToo(async (result, put, markFired) => {
      if (result.success || !/policy_client is not|chain_id is/.test(result.error ?? ''))
        return result
      markFired()
      await put()
      return { success: true, schema: new RawJson('{}'), error: null }
    }),
  },
  {
    id: 'secrets.context-of-the-envelope',
    fault: 'opens an envelope for the client that it names instead of that of the upload',
    clauses: ['4.5-13'],
    parts: (markFired) =>
      method(store, (params, caller, pass) => {
        const { policy_client } = parseEnvelope(params.envelope)
        if (policy_client.toLowerCase() === params.policy_client.toLowerCase())
          return pass(params, caller)
        markFired()
        return pass({ ...params, policy_client }, caller)
      }),
  },
  {
    id: 'secrets.stored-before-checked',
    fault: 'stores an upload before it is checked, and keeps refused ones',
    clauses: ['2.7-03'],
    parts: storingToo(async (result, put, markFired) => {
      if (result.success) return result
      markFired()
      await put()
      return result
    }),
  },
]
