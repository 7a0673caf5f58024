import type { Address, Data } from 'polgate-protocol/scalars.ts'
import type {
  DataRequest,
  EvaluationRequest,
  Operator,
  SignRequest,
} from 'polgate-service/operators/operator.ts'

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

export type RecordedEvaluation = {
  readonly policyClient: Address
  readonly evaluation: EvaluationRequest
}

/** What operators did for the latest tasks: a signed denial does not contain its reasons. */
export type TaskRecords = {
  readonly around: (operator: Operator) => Operator
  of(taskId: string): TaskRecord | undefined
  /** What the operators evaluated: the settled data, with everything else that decides. */
  evaluationOf(taskId: string): RecordedEvaluation | undefined
  clear(): void
}

/** The reasons of an operator that signed this result, encoded in lower case. */
export const reasonsOf = (
  record: Pick<TaskRecord, 'operators'> | undefined,
  result: string,
): readonly string[] =>
  record?.operators.find((each) => each.result?.toLowerCase() === result)?.reasons ?? []

const maxTasks = 1_000
const longestError = 1_000
/** Longest recorded output of an oracle; longer ones are not recorded. */
const longestOutput = 256 * 1024

type Kept = RecordedEvaluation & { readonly operators: Map<string, OperatorRecord> }

export function createTaskRecords(): TaskRecords {
  const tasks = new Map<string, Kept>()
  const collected = new Map<string, readonly string[]>()

  function taskOf({ draft, evaluation }: SignRequest): Kept {
    const id = draft.taskId.toLowerCase()
    const found = tasks.get(id)
    if (found !== undefined) return found
    const { policyClient } = draft
    const added = { policyClient, evaluation, operators: new Map<string, OperatorRecord>() }
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
        const { operators } = taskOf(request)
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
      if (found === undefined) return undefined
      const { data, params, entrypoint } = found.evaluation
      return { operators: [...found.operators.values()], data, params, entrypoint }
    },
    evaluationOf: (taskId) => tasks.get(taskId.toLowerCase()),
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
