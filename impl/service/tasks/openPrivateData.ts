import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { OperatorError } from 'polgate-protocol/task.ts'
import type { OpeningAnswer, Operator } from '../operators/operator.ts'
import { type PrivateUses, usesNothing } from '../operators/privateUses.ts'
import type { OpeningRequest, SealedPartial } from '../threshold/opening.ts'
import { checkOpening } from './checkAnswer.ts'
import { gather } from './gather.ts'
import type { SettledData } from './gatherData.ts'
import { operatorError } from './operatorErrors.ts'
import { operatorFault } from './operatorFaults.ts'
import type { OperatorLatency } from './operatorLatency.ts'
import type { PartialErrors } from './partialErrors.ts'
import type { PreparedTask } from './prepare.ts'
import { quorumFailure } from './quorumFailure.ts'
import { relayOpenings } from './relayOpenings.ts'
import { timed } from './stopwatch.ts'
import type { TaskContext } from './taskContext.ts'
import type { TaskDeps, TaskPrivateData } from './taskDeps.ts'

/** What operators need to end their openings in `sign`. */
export type OpenedData = {
  /** Operators that have begun, of those that agree on the data. */
  readonly operators: readonly Operator[]
  /** The members' answers to an operator's requests; undefined for a policy without private data. */
  partialsOf(operator: Operator): readonly (readonly SealedPartial[])[] | undefined
  readonly errors: readonly OperatorError[]
  /** Of members that did not answer; they may still evaluate and sign. */
  readonly memberErrors: readonly OperatorError[]
}

type Given = {
  readonly task: PreparedTask
  readonly context: TaskContext
  readonly data: SettledData
  readonly taskId: Bytes32
  readonly nonce: number
  readonly operatorLatency: OperatorLatency
  readonly witness: PartialErrors
  readonly signal: AbortSignal
}

/**
 * Between the phases, for a policy that uses private data: every operator verifies what the task may
 * open and asks the members of the shared key, through this gateway, which can read neither the
 * answers nor the data (section 4.10).
 *
 * @throws TaskFailure when the operators that have begun do not hold the quorum
 */
export async function openPrivateData(deps: TaskDeps, given: Given): Promise<OpenedData> {
  const { privateData } = deps
  const none = {
    ...{ operators: given.data.operators, errors: given.data.errors, memberErrors: [] },
    partialsOf: () => undefined,
  }
  if (privateData === undefined) return none
  const uses = await usesOf(privateData, given)
  if (uses === undefined || usesNothing(uses)) return none
  return await timed(deps.stopwatch, 'open private data', () =>
    open(deps, { ...given, privateData, uses }),
  )
}

/** Undefined for a policy that cannot be read or compiled: the operators report that themselves. */
async function usesOf(
  privateData: TaskPrivateData,
  { context, signal }: Given,
): Promise<PrivateUses | undefined> {
  try {
    return await privateData.usesOf(context.client.policyCid, signal)
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

async function open(
  deps: TaskDeps,
  given: Given & { readonly privateData: TaskPrivateData; readonly uses: PrivateUses },
): Promise<OpenedData> {
  const { task, context, data, taskId, nonce, operatorLatency, witness, signal } = given
  const { stakes, client } = context
  const { privateData, uses } = given
  const envelopes = await privateData.envelopesFor({ task, client, uses })
  const { policyClient, intent, intentSignature, privacy } = task
  const opening = {
    ...{ taskId, policyClient, intent, intentSignature, nonce, envelopes, privacy },
    referenceBlock: client.blockNumber,
  }
  const most = envelopes.length + Object.keys(privacy).length
  const begun = await gather<OpeningAnswer>({
    operators: data.operators,
    call: async (operator, on) => checkOpening(await operator.beginOpening(opening, on), most),
    reached: stakes.reached,
    agreeing: async (answers) => answers.map(({ operator }) => operator.id),
    graceMs: deps.graceMs,
    operatorLatency,
    onCut: witness.onCut(data.errors),
    signal,
  })
  const errors = [
    ...data.errors,
    ...begun.failures.map(({ operator, error }) => operatorError(operator, error, deps.clock)),
    ...begun.late.map((operator) => operatorError(operator, operatorFault('late'), deps.clock)),
  ]
  const ids = begun.answers.map(({ operator }) => operator.id)
  if (!stakes.reached(ids)) throw quorumFailure({ errors, stakes, signers: ids })

  const { answersTo, errors: memberErrors } = await relayOpenings(deps, {
    ...{ members: privateData.members, operatorLatency, signal },
    requests: begun.answers.flatMap(({ answer }) => answer.requests),
    onCut: witness.onCut(errors),
  })
  const requestsOf = new Map<Bytes32, readonly OpeningRequest[]>(
    begun.answers.map(({ operator, answer }) => [operator.id, answer.requests]),
  )
  return {
    operators: data.operators.filter(({ id }) => requestsOf.has(id)),
    partialsOf: ({ id }) => (requestsOf.get(id) ?? []).map(answersTo),
    ...{ errors, memberErrors },
  }
}
