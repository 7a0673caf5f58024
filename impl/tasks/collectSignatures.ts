import type { TaskResponse } from '../../chain/types.ts'
import { aggregateSignatures, type ReachedAggregation } from '../attestation/aggregate.ts'
import { responseDigest } from '../attestation/digest.ts'
import type { Operator, SignAnswer, SignRequest } from '../operators/operator.ts'
import { taskResponseOf } from '../operators/taskResponse.ts'
import type { Bytes32, Data } from '../protocol/scalars.ts'
import type { OperatorError } from '../protocol/task.ts'
import { attestData } from './attestData.ts'
import { checkSignature } from './checkAnswer.ts'
import { gather } from './gather.ts'
import type { SettledData } from './gatherData.ts'
import { noAnswer, operatorError, signatureRefused } from './operatorErrors.ts'
import type { PreparedTask } from './prepare.ts'
import { quorumFailure } from './quorumFailure.ts'
import { recordTimings, timed } from './stopwatch.ts'
import type { TaskContext } from './taskContext.ts'
import type { TaskDeps } from './taskDeps.ts'
import type { TaskNewsWriter } from './taskNews.ts'

export type Signed = {
  readonly response: TaskResponse
  readonly digest: Bytes32
  readonly aggregation: ReachedAggregation
  readonly errors: readonly OperatorError[]
}

/**
 * Second phase: operators evaluate the settled data and sign; their signatures become one.
 *
 * @throws TaskFailure when less than the quorum signed one response
 */
export async function collectSignatures(
  deps: TaskDeps,
  given: {
    readonly task: PreparedTask
    readonly context: TaskContext
    readonly data: SettledData
    readonly taskId: Bytes32
    readonly news: TaskNewsWriter
    readonly signal: AbortSignal
  },
): Promise<Signed> {
  const { task, context, data, taskId, news, signal } = given
  const { stakes } = context
  const request = signRequest(task, context, data, { taskId, now: deps.clock() })
  const [{ answers, failures, silent }, policyTaskData] = await Promise.all([
    timed(deps.stopwatch, 'evaluate and sign', () =>
      gather<SignAnswer>({
        operators: data.operators,
        call: async (operator, callSignal) =>
          checkSignature(await operator.sign(request, callSignal)),
        reached: stakes.reached,
        graceMs: deps.graceMs,
        onAnswer: (operator, error) =>
          news.answered(operator, { phase: 'signature', of: data.operators.length, error }),
        signal,
      }),
    ),
    attestData(deps, context.client, data.policyTaskData),
  ])
  recordTimings(deps.stopwatch, answers)
  const errors = [
    ...data.errors,
    ...failures.map(({ operator, error }) => operatorError(operator, error, deps.clock)),
    ...silent.map((operator) => operatorError(operator, noAnswer(), deps.clock)),
  ]
  const { agreed, others } = mostStake(answers, (ids) => stakes.weight(ids))
  const refuse = (operator: Operator, reason: string) =>
    errors.push(operatorError(operator, signatureRefused(reason), deps.clock))
  for (const { operator } of others) refuse(operator, 'it is over another result')
  const evaluationResult = agreed[0]?.answer.evaluationResult
  if (evaluationResult === undefined) throw quorumFailure({ errors, stakes, signers: [] })

  const draft = { ...request.draft, policyTaskData }
  const response = taskResponseOf(draft, task.intent, evaluationResult)
  const digest = responseDigest(response)
  const aggregation = await timed(deps.stopwatch, 'aggregate', async () =>
    aggregateSignatures({
      digest,
      operatorSet: context.operatorSet,
      thresholdPercentage: task.threshold,
      signatures: agreed.map(({ operator, answer }) => ({
        operatorId: operator.id,
        signature: { X: BigInt(answer.signature.X), Y: BigInt(answer.signature.Y) },
      })),
    }),
  )
  for (const { operatorId, reason } of aggregation.rejected) {
    const rejected = agreed.find(({ operator }) => operator.id === operatorId)
    if (rejected !== undefined) refuse(rejected.operator, reason)
  }
  if (!aggregation.reached) {
    throw quorumFailure({ errors, stakes, signers: aggregation.signers })
  }
  return { response, digest, aggregation, errors }
}

function signRequest(
  task: PreparedTask,
  { client }: TaskContext,
  data: SettledData,
  { taskId, now }: { readonly taskId: Bytes32; readonly now: number },
): SignRequest {
  const { policyParams, expireAfter } = client.policyConfig
  return {
    evaluation: {
      policy: { cid: client.policyCid },
      entrypoint: client.entrypoint,
      intent: task.intent,
      intentSignature: task.intentSignature,
      params: policyParams,
      paramsSchemaCid: client.schemaCid,
      data: data.outputs,
      now,
    },
    draft: {
      taskId,
      policyClient: task.policyClient,
      policyId: client.policyId,
      policyAddress: client.policyAddress,
      intentSignature: task.intentSignature ?? '0x',
      policyTaskData: data.policyTaskData,
      policyConfig: {
        policyParams: `0x${Buffer.from(policyParams, 'utf8').toString('hex')}`,
        expireAfter,
      },
    },
  }
}

type Answers = readonly { readonly operator: Operator; readonly answer: SignAnswer }[]

/** Honest operators give one result; where they do not, the one with the most stake counts. */
function mostStake(answers: Answers, weight: (ids: readonly Bytes32[]) => bigint) {
  const groups = new Map<Data, Answers>()
  for (const answer of answers) {
    const result = answer.answer.evaluationResult
    groups.set(result, [...(groups.get(result) ?? []), answer])
  }
  const idsOf = (group: Answers) => group.map(({ operator }) => operator.id)
  const agreed = [...groups.values()].reduce<Answers>(
    (best, group) => (weight(idsOf(group)) > weight(idsOf(best)) ? group : best),
    [],
  )
  return { agreed, others: answers.filter((answer) => !agreed.includes(answer)) }
}
