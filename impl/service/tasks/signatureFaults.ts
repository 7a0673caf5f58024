import type { TaskResponse } from 'polgate-chain/types.ts'
import type { PolicyTaskData } from 'polgate-protocol/policyTaskData.ts'
import type { Bytes32, Data } from 'polgate-protocol/scalars.ts'
import type { ServiceError } from 'polgate-protocol/serviceError.ts'
import { encodeAbiParameters } from 'viem'
import type { RejectionReason } from '../attestation/aggregate.ts'
import { verifySignature } from '../attestation/bls.ts'
import { responseDigest } from '../attestation/digest.ts'
import { findOwners } from '../attestation/signatureOwner.ts'
import { runYielding } from '../attestation/yielding.ts'
import type { Operator, SignAnswer } from '../operators/operator.ts'
import { operatorFault } from './operatorFaults.ts'
import { type Answer, pointOf, type ResultGroup } from './resultGroups.ts'
import type { TaskContext } from './taskContext.ts'

export type SignatureFault = {
  readonly operator: Operator
  readonly error: ServiceError
  /** Evidence for a challenge, if the operator signed a response that it should not have signed. */
  readonly evidence?: Evidence
}

/** The evidence of a challenge (decision C13). */
export type Evidence = {
  /** The response that the operator returned; `signed` differs from it in case of equivocation. */
  readonly told: { readonly digest: Bytes32; readonly result: Data }
  readonly signed: { readonly digest: Bytes32; readonly result: Data }
  readonly signature: SignAnswer['signature']
}

/** Maximum number of pairings for classifying invalid signatures. */
const maxChecks = 512
/** Number of other returned results that are tried for an invalid signature. */
const maxResults = 4
/** Data observed by the operator itself is tried only up to this size, in characters. */
const maxOwnDataLength = 65_536

/**
 * Classifies the signatures that the agreed group does not count. The aggregation already reports
 * points off the curve. A valid signature over another result means that the operator evaluates
 * differently. An invalid signature is examined further: it may be the operator's over another
 * response than the one it returned (with a result returned by others, with either decision, or
 * with the data that it observed itself), which is equivocation, or it may be by another operator's
 * key.
 *
 * @param ownData the data in an operator's response if it ignored the settled data
 */
export async function signatureFaults(given: {
  readonly ballots: readonly ResultGroup[]
  readonly agreed: ResultGroup
  readonly context: Pick<TaskContext, 'operatorSet'>
  readonly ownData: (operator: Operator) => PolicyTaskData | undefined
}): Promise<readonly SignatureFault[]> {
  const { ballots, agreed, context } = given
  const faults: SignatureFault[] = []
  const suspects: { readonly ballot: ResultGroup; readonly answer: Answer }[] = []
  for (const ballot of ballots) {
    const reasons = new Map(
      ballot.aggregation.rejected.map(({ operatorId, reason }) => [operatorId, reason]),
    )
    const counted = new Set(ballot.aggregation.signers)
    for (const answer of ballot.answers) {
      const { operator } = answer
      const id = operator.id.toLowerCase() as Bytes32
      const reason = reasons.get(id)
      if (counted.has(id)) {
        if (ballot !== agreed) faults.push(otherResultFault(answer, ballot))
      } else if (reason !== undefined && reason !== 'wrong-signature') {
        faults.push({ operator, error: refused[reason]() })
      } else suspects.push({ ballot, answer })
    }
  }
  if (suspects.length === 0) return faults

  let left = maxChecks
  const candidates = responsesOf(ballots)
  const wrong: typeof suspects = []
  for (const suspect of suspects) {
    const found = await runYielding(
      signedInstead(suspect, {
        candidates,
        ownData: given.ownData,
        operatorSet: context.operatorSet,
        spend: () => left-- > 0,
      }),
    )
    if (found === undefined) wrong.push(suspect)
    else faults.push(found)
  }
  for (const ballot of ballots) {
    const some = wrong.filter((suspect) => suspect.ballot === ballot).map(({ answer }) => answer)
    const others = uncounted(ballot, context.operatorSet)
    left -= some.length + others.length
    faults.push(...(await ownersOf(ballot, some, left >= 0 ? others : [])))
  }
  return faults
}

const refused: Readonly<Record<Exclude<RejectionReason, 'wrong-signature'>, () => ServiceError>> = {
  'no-point': () => operatorFault('noPoint'),
  infinity: () => operatorFault('infinity'),
  duplicate: () => operatorFault('connectedTwice'),
  'unknown-operator': () => operatorFault('notRegistered'),
}

function otherResultFault({ operator, answer }: Answer, { digest }: ResultGroup): SignatureFault {
  const signed = { digest, result: answer.evaluationResult }
  const evidence = { told: signed, signed, signature: answer.signature }
  return { operator, error: operatorFault('anotherResult'), evidence }
}

type Signable = { readonly digest: Bytes32; readonly response: TaskResponse }

/** Responses that a signature of this task may be over: the returned ones, and both decisions. */
function responsesOf(ballots: readonly ResultGroup[]): Signable[] {
  const first = ballots[0]
  if (first === undefined) return []
  const told = ballots.slice(0, maxResults).map(({ digest, response }) => ({ digest, response }))
  const results = new Set(told.map(({ response }) => response.evaluationResult))
  const decisions = [true, false]
    .map((decision) => encodeAbiParameters([{ type: 'bool' }], [decision]))
    .filter((result) => !results.has(result))
    .map((evaluationResult) => signable({ ...first.response, evaluationResult }))
  return [...told, ...decisions]
}

const signable = (response: TaskResponse): Signable => ({
  digest: responseDigest(response),
  response,
})

/** Looks for a response for which an invalid signature is valid with the operator's key. */
function* signedInstead(
  { ballot, answer }: { readonly ballot: ResultGroup; readonly answer: Answer },
  search: {
    readonly candidates: readonly Signable[]
    readonly ownData: (operator: Operator) => PolicyTaskData | undefined
    readonly operatorSet: TaskContext['operatorSet']
    readonly spend: () => boolean
  },
): Generator<undefined, SignatureFault | undefined> {
  const { operator } = answer
  const key = keyOf(operator, search.operatorSet)
  const own = search.ownData(operator)
  const candidates = [
    ...search.candidates.filter(({ digest }) => digest !== ballot.digest),
    ...(own === undefined || sizeOf(own) > maxOwnDataLength
      ? []
      : [signable({ ...ballot.response, policyTaskData: own })]),
  ]
  for (const { digest, response } of candidates) {
    if (key === undefined || !search.spend()) return undefined
    yield
    if (!verifySignature(digest, pointOf(answer.answer), key)) continue
    const told = { digest: ballot.digest, result: answer.answer.evaluationResult }
    const signed = { digest, result: response.evaluationResult }
    return {
      operator,
      error: operatorFault('equivocated', `: returned ${told.digest}, signed ${digest}`),
      evidence: { told, signed, signature: answer.answer.signature },
    }
  }
  return undefined
}

/** Operators for which a group contains no valid signature. */
function uncounted(ballot: ResultGroup, { operators }: TaskContext['operatorSet']) {
  const counted = new Set(ballot.aggregation.signers)
  return operators.filter(({ operatorId }) => !counted.has(operatorId))
}

async function ownersOf(
  ballot: ResultGroup,
  suspects: readonly Answer[],
  others: TaskContext['operatorSet']['operators'],
): Promise<readonly SignatureFault[]> {
  if (suspects.length === 0) return []
  const counted = new Set(ballot.aggregation.signers)
  // Signatures are deterministic: a copy of a counted one is found by comparison.
  const known = new Map(
    ballot.answers
      .filter(({ operator }) => counted.has(operator.id.toLowerCase() as Bytes32))
      .map(({ operator, answer }) => [textOf(answer), operator.id.toLowerCase()]),
  )
  const unknown = suspects.filter(({ answer }) => !known.has(textOf(answer)))
  const keys = others.map(({ pubkeyG2 }) => pubkeyG2)
  const points = unknown.map(({ answer }) => pointOf(answer))
  const owners =
    points.length === 0 ? [] : await runYielding(findOwners(ballot.digest, points, keys))
  return suspects.map(({ operator, answer }) => {
    const at = owners[unknown.findIndex((each) => each.answer === answer)]
    const owner = known.get(textOf(answer)) ?? (at === undefined ? at : others[at]?.operatorId)
    const error =
      owner === undefined
        ? operatorFault('wrongSignature')
        : operatorFault('anothersKey', `, ${owner}`)
    return { operator, error }
  })
}

const keyOf = ({ id }: Operator, { operators }: TaskContext['operatorSet']) =>
  operators.find(({ operatorId }) => operatorId === id.toLowerCase())?.pubkeyG2

function textOf(answer: SignAnswer): string {
  const { X, Y } = pointOf(answer)
  return `${X} ${Y}`
}

const sizeOf = ({ policyData }: PolicyTaskData): number =>
  policyData.reduce((sum, { data }) => sum + data.length, 0)
