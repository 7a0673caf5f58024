import type { ClientContext } from 'polgate-chain/reads.ts'
import type { TaskResponse } from 'polgate-chain/types.ts'
import type { PolicyTaskData } from 'polgate-protocol/policyTaskData.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { OperatorError } from 'polgate-protocol/task.ts'
import type { ReachedAggregation } from '../attestation/aggregate.ts'
import { attestPolicyData } from '../attestation/policyDataAttestation.ts'
import { intentDigest } from '../intents/intentSignature.ts'
import type { Operator, SignAnswer, SignRequest } from '../operators/operator.ts'
import { checkSignature } from './checkAnswer.ts'
import { type Answers, gather, ofLatest } from './gather.ts'
import { type SettledData, taskData } from './gatherData.ts'
import { memberErrors } from './memberErrors.ts'
import type { OpenedData } from './openPrivateData.ts'
import { operatorError } from './operatorErrors.ts'
import { operatorFault } from './operatorFaults.ts'
import type { OperatorLatency } from './operatorLatency.ts'
import type { PartialErrors } from './partialErrors.ts'
import type { PreparedTask } from './prepare.ts'
import { quorumFailure } from './quorumFailure.ts'
import { aggregateByResult, isReached, type ResultGroup } from './resultGroups.ts'
import { type SignatureFault, signatureFaults } from './signatureFaults.ts'
import { recordTimings, timed } from './stopwatch.ts'
import type { TaskContext } from './taskContext.ts'
import type { TaskDeps } from './taskDeps.ts'
import type { TaskProgress } from './taskProgress.ts'
import { requireKnownDigest } from './versions.ts'

/**
 * The settled data with the attestations that its sources require (decision C8). A source without
 * attesters requires none; operators sign such data directly (decision C2).
 */
async function attestData(
  deps: Pick<TaskDeps, 'attester'>,
  client: ClientContext,
  data: PolicyTaskData,
): Promise<PolicyTaskData> {
  const policyData = await Promise.all(
    data.policyData.map(async (entry, at) => {
      const source = client.policyData[at]!
      if (source.attesters.length === 0) return entry
      requireKnownDigest(source)
      const attested = { ...source, ...entry, chainId: client.chainId }
      return { ...entry, attestation: await attestPolicyData(attested, deps.attester) }
    }),
  )
  return { ...data, policyData }
}

export type Signed = {
  readonly response: TaskResponse
  readonly digest: Bytes32
  readonly aggregation: ReachedAggregation
  readonly errors: readonly OperatorError[]
}

/**
 * Second phase: operators evaluate the settled data and sign; their signatures are aggregated.
 *
 * @throws TaskFailure when no response has signatures of a quorum
 */
export async function collectSignatures(
  deps: TaskDeps,
  given: {
    readonly task: PreparedTask
    readonly context: TaskContext
    readonly data: SettledData
    readonly opened: OpenedData
    readonly taskId: Bytes32
    readonly nonce: number
    /** The current time in the policy, unix milliseconds. */
    readonly now: number
    readonly news: TaskProgress
    readonly operatorLatency: OperatorLatency
    readonly witness: PartialErrors
    readonly signal: AbortSignal
    readonly requester: string
  },
): Promise<Signed> {
  const { task, context, data, taskId, nonce, now, news, operatorLatency, witness, signal } = given
  const { opened, requester } = given
  const { operators } = opened
  const { stakes } = context
  const request = { ...signRequest(task, context, data, { taskId, nonce, now }), requester }
  const attesting = attestData(deps, context.client, data.policyTaskData)
  const groupAnswers = ofLatest(async (given: Answers<SignAnswer>) => {
    const draft = { ...request.draft, policyTaskData: await attesting }
    return await aggregateByResult({ answers: given, draft, task, context })
  })
  const [{ answers, failures, late }] = await Promise.all([
    timed(deps.stopwatch, 'evaluate and sign', () =>
      gather<SignAnswer>({
        operators,
        call: async (operator, callSignal) => {
          const partials = opened.partialsOf(operator)
          const own = partials === undefined ? request : { ...request, partials }
          return checkSignature(await operator.sign(own, callSignal))
        },
        reached: stakes.reached,
        agreeing: async (given) => agreedOf(await groupAnswers(given))?.aggregation.signers ?? [],
        graceMs: deps.graceMs,
        operatorLatency,
        onAnswer: (operator, error) =>
          news.answered(operator, { phase: 'signature', of: operators.length, error }),
        onCut: witness.onCut(opened.errors),
        signal,
      }),
    ),
    attesting,
  ])
  recordTimings(deps.stopwatch, answers)
  const entry = ({ operator, error }: { readonly operator: Operator; readonly error: unknown }) =>
    operatorError(operator, error, deps.clock)
  const unanswered = [
    ...opened.errors,
    ...failures.map(entry),
    ...late.map((operator) => entry({ operator, error: operatorFault('late') })),
  ]
  const ballots = await timed(deps.stopwatch, 'aggregate', () => groupAnswers(answers))
  const reached = ballots.find(isReached)
  const agreed = agreedOf(ballots)
  if (agreed === undefined) throw quorumFailure({ errors: unanswered, stakes, signers: [] })

  const ownData = (operator: Operator) => ownDataOf(operator, context, data)
  const faults = await signatureFaults({ ballots, agreed, context, ownData })
  keepEvidence(deps, taskId, faults)
  const known = [...unanswered, ...faults.map(entry)]
  const errors = [...known, ...memberErrors(deps, { answers, opened, known })]
  if (reached === undefined) {
    throw quorumFailure({ errors, stakes, signers: agreed.aggregation.signers })
  }
  const { response, digest, aggregation } = reached
  return { response, digest, aggregation, errors }
}

const agreedOf = (ballots: readonly ResultGroup[]) => ballots.find(isReached) ?? ballots[0]

/**
 * The response that an operator would have signed over its own data instead of the settled data.
 */
function ownDataOf(
  { id }: Operator,
  context: TaskContext,
  { seen, outputs }: SettledData,
): PolicyTaskData | undefined {
  const own = seen.get(id)
  const same = own === undefined || own.every((output, at) => output === outputs[at])
  return same ? undefined : taskData(context, own)
}

/** Logs signatures that prove equivocation (decision C13). */
function keepEvidence(
  { log }: Pick<TaskDeps, 'log'>,
  taskId: Bytes32,
  faults: readonly SignatureFault[],
): void {
  for (const { operator, error, evidence } of faults) {
    if (evidence === undefined) continue
    log.warn({ task: taskId, operator: operator.id, evidence }, error.message)
  }
}

function signRequest(
  task: PreparedTask,
  { client }: TaskContext,
  data: SettledData,
  given: { readonly taskId: Bytes32; readonly nonce: number; readonly now: number },
): SignRequest {
  const { taskId, nonce, now } = given
  const { policyParams, expireAfter } = client.policyConfig
  const domain = client.signingDomain
  return {
    evaluation: {
      policy: { cid: client.policyCid },
      entrypoint: client.entrypoint,
      intent: task.intent,
      intentSignature: task.intentSignature,
      intentDigest: domain === undefined ? null : intentDigest(task.parsed, domain),
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
    referenceBlock: client.blockNumber,
    nonce,
  }
}
