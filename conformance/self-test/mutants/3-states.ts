import { changedUpdate } from './frames.ts'
import type { Mutant } from './mutant.ts'
import { tolerantManager } from './tolerantContract.ts'
import { changedExplorer, changedResult } from './wrappedListeners.ts'

const times = [
  'task_created_at',
  'task_responded_at',
  'attestation_spent_at',
  'task_challenged_at',
] as const

/** Faults in the states of a task (section 3). */
export const stateMutants: readonly Mutant[] = [
  {
    id: 'task.state-running',
    fault: 'reports the status of a task in evaluation as running',
    clauses: ['3-01', '3-02'],
    parts: changedUpdate((result) =>
      result.data?.status === 'processing' || result.data?.status === 'pending'
        ? { ...result, data: { ...result.data, status: 'running' } }
        : result,
    ),
  },
  {
    id: 'task.success-called-processing',
    fault: 'reports the success of a task as processing',
    clauses: ['3-03'],
    parts: changedUpdate((result) =>
      result.data?.status === 'success'
        ? { ...result, data: { ...result.data, status: 'processing' } }
        : result,
    ),
  },
  {
    id: 'task.failure-called-success',
    fault: 'reports a task whose evaluation failed as a success',
    clauses: ['3-04'],
    parts: changedUpdate((result) =>
      result.data?.status === 'failed'
        ? { ...result, data: { ...result.data, status: 'success' } }
        : result,
    ),
  },
  {
    id: 'task.timeout-called-pending',
    fault: 'returns pending if a task has exceeded its timeout',
    clauses: ['3-05'],
    parts: changedResult('createTask', (result) =>
      result.status === 'timeout' ? { ...result, status: 'pending' } : result,
    ),
  },
  {
    id: 'chain.expired-accepted',
    fault: 'accepts on chain an attestation that has expired',
    clauses: ['3-07', '7.5-06'],
    around: tolerantManager('AttestationExpired'),
  },
  {
    id: 'task.explorer-epoch-for-null',
    fault: 'shows the year 1970 in the explorer for events that have not happened',
    clauses: ['3-08'],
    parts: changedExplorer(/\/task\//, (detail) => ({
      ...detail,
      ...Object.fromEntries(
        times
          .filter((name) => detail?.[name] === null)
          .map((name) => [name, '1970-01-01T00:00:00Z']),
      ),
    })),
  },
  {
    id: 'task.explorer-challenge-as-boolean',
    fault: 'shows challenge_result in the explorer as true or false',
    clauses: ['3-09'],
    parts: changedExplorer(/\/task\//, (detail) =>
      typeof detail?.challenge_result === 'string'
        ? { ...detail, challenge_result: detail.challenge_result === 'success' }
        : detail,
    ),
  },
  {
    id: 'chain.challenge-window-open',
    fault: 'accepts challenges on chain at any time',
    clauses: ['3-10'],
    around: tolerantManager('ChallengeWindowClosed'),
  },
]
