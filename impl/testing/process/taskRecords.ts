import type { Operator } from 'polgate-service/operators/operator.ts'
import type { OperatorRecord, TaskRecord } from '../stack/controlWire.ts'

/** What operators did for the latest tasks: a signed denial does not contain its reasons. */
export type TaskRecords = {
  readonly around: (operator: Operator) => Operator
  of(taskId: string): Omit<TaskRecord, 'spent'> | undefined
  clear(): void
}

const maxTasks = 1_000
const longestError = 1_000

type Kept = Omit<TaskRecord, 'spent' | 'operators'> & {
  readonly operators: Map<string, OperatorRecord>
}

export function createTaskRecords(): TaskRecords {
  const tasks = new Map<string, Kept>()

  function taskOf(id: string, { data, params, entrypoint }: Omit<Kept, 'operators'>): Kept {
    const found = tasks.get(id)
    if (found !== undefined) return found
    const added = { data, params, entrypoint, operators: new Map<string, OperatorRecord>() }
    tasks.set(id, added)
    for (const old of tasks.keys()) {
      if (tasks.size <= maxTasks) break
      tasks.delete(old)
    }
    return added
  }

  return {
    around: (operator) => ({
      ...operator,
      async sign(request, signal) {
        const { address } = operator
        const { operators } = taskOf(request.draft.taskId.toLowerCase(), request.evaluation)
        try {
          const answer = await operator.sign(request, signal)
          operators.set(address, { address, reasons: answer.reasons })
          return answer
        } catch (error) {
          const text = error instanceof Error ? error.message : String(error)
          operators.set(address, { address, error: text.slice(0, longestError) })
          throw error
        }
      },
    }),
    of(taskId) {
      const found = tasks.get(taskId.toLowerCase())
      return found && { ...found, operators: [...found.operators.values()] }
    },
    clear: () => tasks.clear(),
  }
}
