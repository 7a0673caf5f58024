import type { FailureType } from 'polgate-protocol/notification.ts'
import type { Mutant } from './mutant.ts'
import { changedNotification } from './webhookFaults.ts'

const toldAs = (right: FailureType, wrong: string) =>
  changedNotification((told) =>
    told.failure_type === right ? { ...told, failure_type: wrong } : told,
  )

/** Faults in the types of failures (section 6.3). */
export const failureTypeMutants: readonly Mutant[] = [
  {
    id: 'webhook.one-type',
    fault: 'has only one failure type, task_failed',
    clauses: ['6.3-01', '2.8-04'],
    parts: changedNotification((told) => ({ ...told, failure_type: 'task_failed' })),
  },
  {
    id: 'webhook.types-unknown',
    fault: 'refuses registrations for channel_error and signature_verification_failed',
    clauses: ['6.3-01'],
    parts: (markFired) => ({
      gateway: (deps) => ({
        ...deps,
        webhooks: {
          ...deps.webhooks,
          register: (params, caller) => {
            const unknown = ['channel_error', 'signature_verification_failed']
            if (!params.failure_types?.some((type) => unknown.includes(type)))
              return deps.webhooks.register(params, caller)
            markFired()
            return Promise.resolve({ success: false, message: 'Unknown failure type' })
          },
        },
      }),
    }),
  },
  {
    id: 'webhook.timeout-is-internal',
    fault: 'reports a timeout as internal_error',
    clauses: ['6.3-02'],
    parts: toldAs('timeout', 'internal_error'),
  },
  {
    id: 'webhook.timeout-is-quorum',
    fault: 'reports a timeout as quorum_not_reached',
    clauses: ['6.3-02'],
    parts: toldAs('timeout', 'quorum_not_reached'),
  },
  {
    id: 'webhook.quorum-is-channel',
    fault: 'reports missing stake as channel_error',
    clauses: ['6.3-03'],
    parts: toldAs('quorum_not_reached', 'channel_error'),
  },
  {
    id: 'webhook.quorum-is-signature',
    fault: 'reports missing stake as signature_verification_failed',
    clauses: ['6.3-03'],
    parts: toldAs('quorum_not_reached', 'signature_verification_failed'),
  },
  {
    id: 'webhook.policy-is-quorum',
    fault: 'reports a policy that cannot be evaluated as quorum_not_reached',
    clauses: ['6.3-04'],
    parts: toldAs('policy_evaluation_failed', 'quorum_not_reached'),
  },
  {
    id: 'webhook.on-chain-is-internal',
    fault: 'reports a result that could not be posted as internal_error',
    clauses: ['6.3-05'],
    parts: toldAs('onchain_submission_failed', 'internal_error'),
  },
  {
    id: 'webhook.on-chain-not-told',
    fault: 'stops posting a result without a notification',
    clauses: ['6.3-05'],
    parts: (markFired) => ({
      taskDeps: (deps) => {
        const { postings } = deps.store
        return {
          ...deps,
          store: {
            ...deps.store,
            postings: {
              ...postings,
              fail: async (id, { attempts, error }) => {
                markFired()
                const at = new Date(deps.clock() + 3_600_000)
                await postings.retry(id, { attempts, error, at })
                return false
              },
            },
          },
        }
      },
    }),
  },
]
