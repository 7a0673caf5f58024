import type { TaskResponse } from 'polgate-chain/types.ts'
import type { Bytes32, Data } from 'polgate-protocol/scalars.ts'
import { type Aggregation, aggregation, type ReachedAggregation } from '../attestation/aggregate.ts'
import { responseDigest } from '../attestation/digest.ts'
import { runYielding } from '../attestation/yielding.ts'
import type { Operator, ResponseDraft, SignAnswer } from '../operators/operator.ts'
import { taskResponseOf } from '../operators/taskResponse.ts'
import type { PreparedTask } from './prepare.ts'
import type { TaskContext } from './taskContext.ts'

export type Answer = { readonly operator: Operator; readonly answer: SignAnswer }

/** One result returned by operators, with the aggregation of their signatures. */
export type ResultGroup = {
  readonly response: TaskResponse
  readonly digest: Bytes32
  readonly answers: readonly Answer[]
  readonly aggregation: Aggregation
}

export type QuorumGroup = ResultGroup & { readonly aggregation: ReachedAggregation }

/**
 * Aggregates the signatures of each result, by stake in descending order. A returned result does
 * not imply a valid signature, so the first group is not always the one with the quorum. Each
 * signature is in one group only, so verification is linear in the number of signatures.
 */
export async function aggregateByResult(given: {
  readonly answers: readonly Answer[]
  readonly draft: ResponseDraft
  readonly task: Pick<PreparedTask, 'intent' | 'threshold'>
  readonly context: Pick<TaskContext, 'operatorSet' | 'stakes'>
}): Promise<readonly ResultGroup[]> {
  const { answers, draft, task, context } = given
  const ballots: ResultGroup[] = []
  for (const group of byResult(answers, context.stakes.weight)) {
    const { evaluationResult } = group[0]!.answer
    const response = taskResponseOf(draft, task.intent, evaluationResult)
    const digest = responseDigest(response)
    const request = {
      digest,
      operatorSet: context.operatorSet,
      thresholdPercentage: task.threshold,
      signatures: group.map(({ operator, answer }) => ({
        operatorId: operator.id.toLowerCase() as Bytes32,
        signature: pointOf(answer),
      })),
    }
    const counted = await runYielding(aggregation(request))
    ballots.push({ response, digest, answers: group, aggregation: counted })
  }
  return ballots
}

export const isReached = (ballot: ResultGroup): ballot is QuorumGroup => ballot.aggregation.reached

export const pointOf = ({ signature }: SignAnswer) => ({
  X: BigInt(signature.X),
  Y: BigInt(signature.Y),
})

/** The answers grouped by result, by stake in descending order. */
function byResult(
  answers: readonly Answer[],
  weight: (ids: readonly Bytes32[]) => bigint,
): readonly (readonly Answer[])[] {
  const groups = new Map<Data, Answer[]>()
  for (const answer of answers) {
    const result = answer.answer.evaluationResult
    const group = groups.get(result)
    if (group === undefined) groups.set(result, [answer])
    else group.push(answer)
  }
  return [...groups.values()]
    .map((group) => ({ group, stake: weight(group.map(({ operator }) => operator.id)) }))
    .sort((a, b) => (a.stake === b.stake ? 0 : a.stake > b.stake ? -1 : 1))
    .map(({ group }) => group)
}
