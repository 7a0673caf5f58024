import type { TaskResult } from 'polgate-protocol/task.ts'
import { keccak256, toHex } from 'viem'
import type { Mutant } from './mutant.ts'
import { taskMethod } from './taskServiceFaults.ts'
import { changedResult, type Json } from './wrappedListeners.ts'

function wordOf(result: Json): Buffer | undefined {
  const bytes = result.task_response?.evaluation_result
  return bytes === undefined ? undefined : Buffer.from(bytes)
}

/** Faults in duplicates, denials and CAP (section 7.5). */
export const conditionMutants: readonly Mutant[] = [
  {
    id: 'task.duplicate-accepted',
    fault: 'creates a second task for an intent in progress',
    clauses: ['7.5-01'],
    parts: (markFired) => {
      let count = 1_000
      return {
        taskDeps: (deps) => ({
          ...deps,
          store: {
            ...deps.store,
            tasks: {
              ...deps.store.tasks,
              async admit(options) {
                const admission = await deps.store.tasks.admit(options)
                if (admission.outcome !== 'duplicate') return admission
                markFired()
                const nonce = count++
                const again = await deps.store.tasks.admit({
                  ...options,
                  intentHash: keccak256(toHex(`${options.intentHash} ${nonce}`)),
                  idFor: () => options.idFor(nonce),
                })
                return again.outcome !== 'admitted'
                  ? again
                  : { ...again, task: { ...again.task, nonce } }
              },
            },
          },
        }),
      }
    },
  },
  {
    id: 'task.duplicate-unexplained',
    fault: 'refuses a duplicate without saying that the task exists',
    clauses: ['7.5-01'],
    parts: changedResult('createTask', (result) =>
      String(result.error).startsWith('TaskAlreadyExists')
        ? { ...result, error: 'Conflict' }
        : result,
    ),
  },
  {
    id: 'task.one-result-a-client',
    fault: 'answers every task of a client with the result of its first',
    clauses: ['7.5-02'],
    parts: taskMethod('createTask', ({ tasks, markFired }) => {
      const first = new Map<string, TaskResult>()
      return async (params, caller) => {
        const kept = first.get(params.policy_client)
        if (kept !== undefined) {
          markFired()
          return kept
        }
        const result = await tasks.createTask(params, caller)
        if (result.status === 'success') first.set(params.policy_client, result)
        return result
      }
    }),
  },
  {
    id: 'task.rejection-without-reasons',
    fault: 'does not return why a simulated task is rejected',
    clauses: ['7.5-03'],
    parts: changedResult('simulateTask', (answer) =>
      answer.result?.allow === false ? { ...answer, result: { allow: false } } : answer,
    ),
  },
  {
    id: 'task.cap-is-allow',
    fault: 'treats CAP as ALLOW',
    clauses: ['7.5-04'],
    parts: changedResult('createTask', (result) => {
      const word = wordOf(result)
      if (word === undefined || !word.includes(Buffer.from('CAP'))) return result
      const allowed = [...Buffer.alloc(31), 1]
      return { ...result, task_response: { ...result.task_response, evaluation_result: allowed } }
    }),
  },
]
