import { expiryBlock } from 'polgate-protocol/expiryBlock.ts'
import type { PolicyTaskData } from 'polgate-protocol/policyTaskData.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { OperatorError } from 'polgate-protocol/task.ts'
import { toHex } from 'viem'
import { runYielding } from '../attestation/yielding.ts'
import type { DataAnswer, Operator } from '../operators/operator.ts'
import { checkSettledData } from './checkAnswer.ts'
import { type Answers, gather, ofLatest } from './gather.ts'
import { operatorError } from './operatorErrors.ts'
import { operatorFault } from './operatorFaults.ts'
import type { OperatorLatency } from './operatorLatency.ts'
import type { PartialErrors } from './partialErrors.ts'
import type { PreparedTask } from './prepare.ts'
import { quorumFailure } from './quorumFailure.ts'
import { settling } from './settle.ts'
import { recordTimings, timed } from './stopwatch.ts'
import type { TaskContext } from './taskContext.ts'
import type { TaskDeps } from './taskDeps.ts'
import type { TaskProgress } from './taskProgress.ts'

export type SettledData = {
  /** JSON text of each source's output, in the order of the policy's data. */
  readonly outputs: readonly string[]
  readonly policyTaskData: PolicyTaskData
  /** The data that each operator observed; empty for a policy without oracles. */
  readonly seen: ReadonlyMap<Bytes32, readonly string[]>
  /** Operators that observed this data. */
  readonly operators: readonly Operator[]
  readonly errors: readonly OperatorError[]
}

/**
 * First phase (decision T8): every operator runs the oracles, and their observations are settled to
 * one data set. A policy without oracles has nothing to settle.
 *
 * @throws TaskFailure when the operators that agree do not hold the quorum
 */
export async function gatherData(
  deps: TaskDeps,
  given: {
    readonly task: PreparedTask
    readonly context: TaskContext
    readonly news: TaskProgress
    readonly operatorLatency: OperatorLatency
    readonly witness: PartialErrors
    readonly signal: AbortSignal
    readonly requester: string
  },
): Promise<SettledData> {
  const { requester, task, context, news, operatorLatency, witness, signal } = given
  const { operators, sources, stakes } = context
  if (sources.length === 0) {
    const policyTaskData = taskData(context, [])
    return { outputs: [], policyTaskData, seen: new Map(), operators, errors: [...context.absent] }
  }
  const { policyClient } = task
  const referenceBlock = context.client.blockNumber
  const request = { policyClient, sources, referenceBlock, requester }
  const settleAnswers = ofLatest((given: Answers<DataAnswer>) =>
    runYielding(settling(given.map(observed), stakes)),
  )
  const { answers, failures, late } = await timed(deps.stopwatch, 'oracle', () =>
    gather<DataAnswer>({
      operators,
      call: async (operator, callSignal) =>
        checkSettledData(await operator.collectData(request, callSignal), sources.length),
      reached: stakes.reached,
      agreeing: async (given) => (await settleAnswers(given)).conforming,
      graceMs: deps.graceMs,
      operatorLatency,
      onCut: witness.onCut(context.absent),
      onAnswer: (operator, error) =>
        news.answered(operator, { phase: 'data', of: operators.length, error }),
      signal,
    }),
  )
  recordTimings(deps.stopwatch, answers)
  const { outputs, conforming, deviating } = await timed(deps.stopwatch, 'settle', () =>
    settleAnswers(answers),
  )
  const byId = new Map(operators.map((operator) => [operator.id, operator]))
  const errors = [
    ...context.absent,
    ...failures.map(({ operator, error }) => operatorError(operator, error, deps.clock)),
    ...late.map((operator) => operatorError(operator, operatorFault('late'), deps.clock)),
    ...deviating.map(({ id, how }) =>
      operatorError(byId.get(id)!, operatorFault(faultOf[how]), deps.clock),
    ),
  ]
  if (outputs === null) {
    throw quorumFailure({ errors, stakes, signers: conforming })
  }
  const agreeing = new Set(conforming)
  return {
    outputs,
    policyTaskData: taskData(context, outputs),
    seen: new Map(answers.map(({ operator, answer }) => [operator.id, answer.outputs])),
    operators: operators.filter(({ id }) => agreeing.has(id)),
    errors,
  }
}

const observed = ({ operator, answer }: Answers<DataAnswer>[number]) => ({
  id: operator.id,
  outputs: answer.outputs,
})

const faultOf = { deviates: 'dataDeviates', differs: 'dataDiffers' } as const

/** The data members of a response. */
export function taskData(
  { client, sources }: Pick<TaskContext, 'client' | 'sources'>,
  outputs: readonly string[],
): PolicyTaskData {
  return {
    policyId: client.policyId,
    policyAddress: client.policyAddress,
    policy: '0x',
    policyData: outputs.map((output, at) => ({
      wasmArgs: sources[at]!.wasmArgs,
      data: toHex(output),
      attestation: '0x',
      policyDataAddress: sources[at]!.policyDataAddress,
      expireBlock: expiryBlock(client.blockNumber, client.policyData[at]!.expireAfter),
    })),
  }
}
