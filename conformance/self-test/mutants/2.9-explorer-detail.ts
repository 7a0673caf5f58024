import { taskDetail } from './explorerFaults.ts'
import type { Mutant } from './mutant.ts'

/** Faults in how the explorer shows the detail of a task (section 2.9). */
export const explorerDetailMutants: readonly Mutant[] = [
  {
    id: 'explorer.intent-in-snake-case',
    fault: 'shows the intent in snake_case',
    clauses: ['2.9-20'],
    parts: taskDetail((task) => {
      const { chainId, functionSignature, ...rest } = task.intent
      return {
        ...task,
        intent: { ...rest, chain_id: chainId, function_signature: functionSignature },
      }
    }),
  },
  {
    id: 'explorer.chain-id-is-hex',
    fault: 'shows the chain of the intent as hex',
    clauses: ['2.9-20'],
    parts: taskDetail((task) => ({
      ...task,
      intent: { ...task.intent, chainId: `0x${task.intent.chainId.toString(16)}` },
    })),
  },
  {
    id: 'explorer.intent-is-text',
    fault: 'shows the intent as a JSON string',
    clauses: ['2.9-20'],
    parts: taskDetail((task) => ({ ...task, intent: JSON.stringify(task.intent) })),
  },
  {
    id: 'explorer.no-policy-config',
    fault: 'shows no policy_config',
    clauses: ['2.9-21'],
    parts: taskDetail((task) => ({ ...task, policy_config: null })),
  },
  {
    id: 'explorer.no-policy-task-data',
    fault: 'omits the data that the policy was evaluated with',
    clauses: ['2.9-22'],
    parts: taskDetail((task) => ({ ...task, policy_task_data: task.policy_task_data && {} })),
  },
  {
    id: 'explorer.created-hash-of-zeros',
    fault: 'shows zeros as the transaction of the creation',
    clauses: ['2.9-23'],
    parts: taskDetail((task) => ({
      ...task,
      created_txn_hash: task.created_txn_hash && `0x${'00'.repeat(32)}`,
    })),
  },
  {
    id: 'explorer.responded-by-creation',
    fault: 'shows the transaction of the creation as that of the response',
    clauses: ['2.9-24'],
    parts: taskDetail((task) => ({
      ...task,
      responded_txn_hash: task.responded_txn_hash && task.created_txn_hash,
    })),
  },
  {
    id: 'explorer.challenged-by-response',
    fault: 'shows the transaction of the response as that of the challenge',
    clauses: ['2.9-25'],
    parts: taskDetail((task) => ({
      ...task,
      challenged_txn_hash: task.challenged_txn_hash && task.responded_txn_hash,
    })),
  },
  {
    id: 'explorer.spent-by-response',
    fault: 'shows the transaction of the response as that of the spend',
    clauses: ['2.9-26'],
    parts: taskDetail((task) => ({
      ...task,
      spent_txn_hash: task.spent_txn_hash && task.responded_txn_hash,
    })),
  },
]
