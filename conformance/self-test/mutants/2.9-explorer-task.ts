import { everyTask, taskDetail } from './explorerFaults.ts'
import type { Mutant } from './mutant.ts'

const nullable = [
  'policy_id',
  'policy_address',
  'evaluation_result',
  'task_responded_at',
  'attestation_spent_at',
  'task_challenged_at',
]
const shifted = (time: string | null, ms: number) =>
  time === null ? null : new Date(Date.parse(time) + ms).toISOString()

/** Faults in how the explorer shows a task in lists (section 2.9). */
export const explorerTaskMutants: readonly Mutant[] = [
  {
    id: 'explorer.task-id-without-prefix',
    fault: 'shows task ids without 0x',
    clauses: ['2.9-01'],
    parts: everyTask((task) => ({ ...task, id: task.id.slice(2) })),
  },
  {
    id: 'explorer.task-network-is-chain',
    fault: 'shows the number of the chain as network of a task',
    clauses: ['2.9-02'],
    parts: everyTask((task) => ({ ...task, network: 31337 })),
  },
  {
    id: 'explorer.sender-and-client-swapped',
    fault: 'shows the client as sender, and the sender as client',
    clauses: ['2.9-03', '2.9-04'],
    parts: everyTask((task) => ({
      ...task,
      sender_address: task.policy_client_address,
      policy_client_address: task.sender_address,
    })),
  },
  {
    id: 'explorer.policy-id-is-address',
    fault: 'shows the address of the policy as its id',
    clauses: ['2.9-05'],
    parts: everyTask((task) => ({ ...task, policy_id: task.policy_address })),
  },
  {
    id: 'explorer.policy-address-is-client',
    fault: 'shows the address of the client as that of the policy',
    clauses: ['2.9-06'],
    parts: everyTask((task) => ({ ...task, policy_address: task.policy_client_address })),
  },
  {
    id: 'explorer.result-without-prefix',
    fault: 'shows the result without 0x',
    clauses: ['2.9-07'],
    parts: everyTask((task) => ({
      ...task,
      evaluation_result: task.evaluation_result?.slice(2) ?? null,
    })),
  },
  {
    id: 'explorer.result-always-allow',
    fault: 'shows every result as allowed',
    clauses: ['2.9-07'],
    parts: everyTask((task) => ({
      ...task,
      evaluation_result: task.evaluation_result && `0x${'1'.padStart(64, '0')}`,
    })),
  },
  {
    id: 'explorer.result-before-response',
    fault: 'shows a result of zeros before operators have responded',
    clauses: ['2.9-08'],
    parts: everyTask((task) => ({
      ...task,
      evaluation_result: task.evaluation_result ?? `0x${'00'.repeat(32)}`,
    })),
  },
  {
    id: 'explorer.no-error',
    fault: 'never shows the error of a task',
    clauses: ['2.9-09'],
    parts: everyTask((task) => ({ ...task, error: null })),
  },
  {
    id: 'explorer.error-is-object',
    fault: 'shows the error of a task as an object',
    clauses: ['2.9-09'],
    parts: everyTask((task) => ({ ...task, error: task.error && { message: task.error } })),
  },
  {
    id: 'explorer.operator-errors-is-text',
    fault: 'shows operator_errors as a JSON string',
    clauses: ['2.9-10'],
    parts: everyTask((task) => ({
      ...task,
      operator_errors: task.operator_errors && JSON.stringify(task.operator_errors),
    })),
  },
  {
    id: 'explorer.created-block-less',
    fault: 'shows the block before that of the creation',
    clauses: ['2.9-11'],
    parts: everyTask((task) => ({
      ...task,
      created_block: task.created_block && task.created_block - 1,
    })),
  },
  {
    id: 'explorer.created-block-after-posting',
    fault: 'shows the block after the one in which a task was posted',
    clauses: ['2.9-11'],
    parts: everyTask((task) => {
      // A task and its response are posted together. The block of posting itself is a legal reading.
      const posted = task.task_responded_metadata?.responded_block
      return posted === undefined ? task : { ...task, created_block: posted + 1 }
    }),
  },
  {
    id: 'explorer.failed-without-block',
    fault: 'shows no block for a task that never reached the chain',
    clauses: ['2.9-32'],
    parts: taskDetail((task) =>
      task.created_txn_hash === null ? { ...task, created_block: null } : task,
    ),
  },
  {
    id: 'explorer.failed-without-time',
    fault: 'shows no time for a task that never reached the chain',
    clauses: ['2.9-32'],
    parts: everyTask((task) =>
      task.task_responded_at === null && task.error !== null
        ? { ...task, task_created_at: null, created_block: null }
        : task,
    ),
  },
  {
    id: 'explorer.failed-without-policy',
    fault: 'shows no policy for a task that failed',
    clauses: ['2.9-32'],
    parts: everyTask((task) =>
      task.error === null ? task : { ...task, policy_id: null, policy_address: null },
    ),
  },
  {
    id: 'explorer.created-block-is-text',
    fault: 'shows the number of the block as a string',
    clauses: ['2.9-11'],
    parts: everyTask((task) => ({
      ...task,
      created_block: task.created_block && `${task.created_block}`,
    })),
  },
  {
    id: 'explorer.times-in-local-form',
    fault: 'shows times without T and zone',
    clauses: ['2.9-12'],
    parts: everyTask((task) => ({
      ...task,
      task_created_at: task.task_created_at?.replace('T', ' ').replace('Z', '') ?? null,
      task_responded_at: task.task_responded_at?.replace('T', ' ').replace('Z', '') ?? null,
    })),
  },
  {
    id: 'explorer.times-hour-off',
    fault: 'shows times in the time zone of the machine, an hour off',
    clauses: ['2.9-12', '2.9-13'],
    parts: everyTask((task) => ({
      ...task,
      task_created_at: shifted(task.task_created_at, 3_600_000),
      task_responded_at: shifted(task.task_responded_at, 3_600_000),
    })),
  },
  {
    id: 'explorer.responded-is-created',
    fault: 'shows the time of the creation as that of the response',
    clauses: ['2.9-13'],
    parts: everyTask((task) => ({
      ...task,
      task_responded_at: task.task_responded_at && shifted(task.task_created_at, -1_000),
    })),
  },
  {
    id: 'explorer.spending-not-shown',
    fault: 'does not index spent attestations',
    clauses: ['2.9-14', '2.9-26'],
    parts: everyTask((task) => ({
      ...task,
      attestation_spent_at: null,
      ...('spent_txn_hash' in task ? { spent_txn_hash: null } : {}),
    })),
  },
  {
    id: 'explorer.challenges-not-shown',
    fault: 'does not index challenges',
    clauses: ['2.9-15', '2.9-16', '2.9-25'],
    parts: everyTask((task) => ({
      ...task,
      task_challenged_at: null,
      challenge_result: task.challenge_result && 'unchallenged',
      ...('challenged_txn_hash' in task ? { challenged_txn_hash: null } : {}),
    })),
  },
  {
    id: 'explorer.unsuccessful-is-success',
    fault: 'shows every challenge as successful',
    clauses: ['2.9-16'],
    parts: everyTask((task) => ({
      ...task,
      challenge_result:
        task.challenge_result === 'unsuccessful' ? 'success' : task.challenge_result,
    })),
  },
  {
    id: 'explorer.no-metadata-of-response',
    fault: 'shows no metadata of a response',
    clauses: ['2.9-17'],
    parts: everyTask((task) => ({ ...task, task_responded_metadata: null })),
  },
  {
    id: 'explorer.updated-in-seconds',
    fault: 'shows updated_at as unix seconds',
    clauses: ['2.9-18'],
    parts: everyTask((task) => ({
      ...task,
      updated_at: Math.floor(Date.parse(task.updated_at) / 1000),
    })),
  },
  {
    id: 'explorer.detail-lacks-summary',
    fault: 'omits from the detail the fields of the list',
    clauses: ['2.9-19'],
    parts: taskDetail(({ updated_at: _, created_block: __, ...task }) => task),
  },
  {
    id: 'explorer.detail-differs',
    fault: 'shows in the detail another time than in the list',
    clauses: ['2.9-19'],
    parts: taskDetail((task) => ({
      ...task,
      task_created_at: shifted(task.task_created_at, 1_000),
    })),
  },
  {
    id: 'explorer.empty-for-null',
    fault: 'shows empty strings for events that have not happened',
    clauses: ['2.9-27'],
    parts: everyTask((task) => ({
      ...task,
      ...Object.fromEntries(nullable.map((name) => [name, task[name] ?? ''])),
    })),
  },
  {
    id: 'explorer.null-left-out',
    fault: 'omits events that have not happened',
    clauses: ['2.9-27'],
    parts: everyTask((task) =>
      Object.fromEntries(Object.entries(task).filter(([, value]) => value !== null)),
    ),
  },
  {
    id: 'explorer.block-zero-for-null',
    fault: 'shows block 0 for a task that never reached the chain',
    clauses: ['2.9-27'],
    parts: taskDetail((task) =>
      task.created_txn_hash === null ? { ...task, created_block: 0 } : task,
    ),
  },
  {
    id: 'explorer.zero-time-for-null',
    fault: 'shows the year 1970 for a challenge that has not happened',
    clauses: ['2.9-15', '2.9-27'],
    parts: everyTask((task) => ({
      ...task,
      task_challenged_at: task.task_challenged_at ?? '1970-01-01T00:00:00.000Z',
    })),
  },
]
