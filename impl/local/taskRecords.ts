import type { Address, Data } from 'polgate-protocol/scalars.ts'
import type { DataRequest, Operator, SignRequest } from 'polgate-service/operators/operator.ts'

/** What one operator did for a task. */
export type OperatorRecord = {
  readonly address: Address
  /** Outputs of its own oracle runs, JSON, in order; absent if they failed, or are no longer known. */
  readonly outputs?: readonly string[]
  /** The `deny` strings of the policy, sorted; absent if the operator did not sign. */
  readonly reasons?: readonly string[]
  /** The evaluation result that it signed. */
  readonly result?: Data
  readonly error?: string
}

/** What the operators of a stack did for a task. */
export type TaskRecord = {
  readonly operators: readonly OperatorRecord[]
  /** Outputs of the oracles that were evaluated, JSON, in order. */
  readonly data: readonly string[]
  /** Parameters of the policy, JSON. */
  readonly params: string
  readonly entrypoint: string
}

/** What operators did for the latest tasks: a signed denial does not contain its reasons. */
export type TaskRecords = {
  readonly around: (operator: Operator) => Operator
  of(taskId: string): TaskRecord | undefined
  clear(): void
}

const maxTasks = 1_000
const longestError = 1_000
/** Longest recorded output of an oracle; longer ones are not recorded. */
const longestOutput = 256 * 1024

type Kept = Omit<TaskRecord, 'operators'> & {
  readonly operators: Map<string, OperatorRecord>
}

export function createTaskRecords(): TaskRecords {
  const tasks = new Map<string, Kept>()
  const collected = new Map<string, readonly string[]>()

  function taskOf(id: string, { data, params, entrypoint }: Omit<Kept, 'operators'>): Kept {
    const found = tasks.get(id)
    if (found !== undefined) return found
    const added = { data, params, entrypoint, operators: new Map<string, OperatorRecord>() }
    tasks.set(id, added)
    forgetOldest(tasks)
    return added
  }

  return {
    around: (operator) => ({
      ...operator,
      async collectData(request, signal) {
        const answer = await operator.collectData(request, signal)
        if (answer.outputs.every(({ length }) => length <= longestOutput)) {
          collected.set(collectedKey(operator.address, request), answer.outputs)
          forgetOldest(collected)
        }
        return answer
      },
      async sign(request, signal) {
        const { address } = operator
        const { operators } = taskOf(request.draft.taskId.toLowerCase(), request.evaluation)
        const outputs = collected.get(signedKey(address, request))
        const own = { address, ...(outputs === undefined ? {} : { outputs }) }
        try {
          const answer = await operator.sign(request, signal)
          operators.set(address, {
            ...own,
            reasons: answer.reasons,
            result: answer.evaluationResult,
          })
          return answer
        } catch (error) {
          const text = error instanceof Error ? error.message : String(error)
          operators.set(address, { ...own, error: text.slice(0, longestError) })
          throw error
        }
      },
    }),
    of(taskId) {
      const found = tasks.get(taskId.toLowerCase())
      return found && { ...found, operators: [...found.operators.values()] }
    },
    clear() {
      tasks.clear()
      collected.clear()
    },
  }
}

/** A request for data names no task: client, block and arguments tell tasks apart. */
const collectedKey = (operator: Address, request: DataRequest): string =>
  JSON.stringify([
    operator,
    request.policyClient,
    request.referenceBlock ?? 0,
    request.sources.map(({ policyDataAddress, wasmArgs }) => [policyDataAddress, wasmArgs]),
  ]).toLowerCase()

const signedKey = (operator: Address, { draft, referenceBlock }: SignRequest): string =>
  JSON.stringify([
    operator,
    draft.policyClient,
    referenceBlock,
    draft.policyTaskData.policyData.map(({ policyDataAddress, wasmArgs }) => [
      policyDataAddress,
      wasmArgs,
    ]),
  ]).toLowerCase()

/** A map is in the order of its entries. */
function forgetOldest(entries: Map<string, unknown>): void {
  for (const old of entries.keys()) {
    if (entries.size <= maxTasks) break
    entries.delete(old)
  }
}
