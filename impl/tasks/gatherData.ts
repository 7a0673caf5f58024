import { toHex } from 'viem'
import type { DataAnswer, Operator } from '../operators/operator.ts'
import type { PolicyTaskData } from '../protocol/policyTaskData.ts'
import type { OperatorError } from '../protocol/task.ts'
import { checkData } from './checkAnswer.ts'
import { gather } from './gather.ts'
import { dataDeviates, noAnswer, operatorError } from './operatorErrors.ts'
import type { PreparedTask } from './prepare.ts'
import { quorumFailure } from './quorumFailure.ts'
import { settle } from './settle.ts'
import { recordTimings, timed } from './stopwatch.ts'
import type { TaskContext } from './taskContext.ts'
import type { TaskDeps } from './taskDeps.ts'
import type { TaskNewsWriter } from './taskNews.ts'

export type SettledData = {
  /** JSON text of each source's output, in the order of the policy's data. */
  readonly outputs: readonly string[]
  readonly policyTaskData: PolicyTaskData
  /** Operators that saw this data. */
  readonly operators: readonly Operator[]
  readonly errors: readonly OperatorError[]
}

/**
 * First phase (decision T8): every operator runs the oracles, and one data set is made of what they
 * saw. A policy without oracles has nothing to settle.
 *
 * @throws TaskFailure when those who agree do not hold the quorum
 */
export async function gatherData(
  deps: TaskDeps,
  given: {
    readonly task: PreparedTask
    readonly context: TaskContext
    readonly news: TaskNewsWriter
    readonly signal: AbortSignal
  },
): Promise<SettledData> {
  const { task, context, news, signal } = given
  const { operators, sources, stakes } = context
  if (sources.length === 0) {
    const policyTaskData = taskData(context, [])
    return { outputs: [], policyTaskData, operators, errors: [...context.absent] }
  }
  const request = { policyClient: task.policyClient, sources }
  const { answers, failures, silent } = await timed(deps.stopwatch, 'oracle', () =>
    gather<DataAnswer>({
      operators,
      call: async (operator, callSignal) =>
        checkData(await operator.collectData(request, callSignal), sources.length),
      reached: stakes.reached,
      graceMs: deps.graceMs,
      onAnswer: (operator, error) =>
        news.answered(operator, { phase: 'data', of: operators.length, error }),
      signal,
    }),
  )
  recordTimings(deps.stopwatch, answers)
  const seen = answers.map(({ operator, answer }) => ({ id: operator.id, outputs: answer.outputs }))
  const { outputs, conforming, deviating } = settle(seen, stakes)
  const byId = new Map(operators.map((operator) => [operator.id, operator]))
  const errors = [
    ...context.absent,
    ...failures.map(({ operator, error }) => operatorError(operator, error, deps.clock)),
    ...silent.map((operator) => operatorError(operator, noAnswer(), deps.clock)),
    ...deviating.map(({ id, reason }) =>
      operatorError(byId.get(id)!, dataDeviates(reason), deps.clock),
    ),
  ]
  if (outputs === null) {
    throw quorumFailure({ errors, stakes, signers: conforming })
  }
  return {
    outputs,
    policyTaskData: taskData(context, outputs),
    operators: operators.filter(({ id }) => conforming.includes(id)),
    errors,
  }
}

function taskData({ client, sources }: TaskContext, outputs: readonly string[]): PolicyTaskData {
  return {
    policyId: client.policyId,
    policyAddress: client.policyAddress,
    policy: '0x',
    policyData: outputs.map((output, at) => ({
      wasmArgs: sources[at]!.wasmArgs,
      data: toHex(output),
      attestation: '0x',
      policyDataAddress: sources[at]!.policyDataAddress,
      expireBlock: client.blockNumber + client.policyData[at]!.expireAfter,
    })),
  }
}
