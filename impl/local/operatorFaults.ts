import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { OperatorFault } from 'polgate-protocol/control/operators.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type { Data } from 'polgate-protocol/scalars.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import type { BlsKey } from 'polgate-service/attestation/bls.ts'
import { responseDigest } from 'polgate-service/attestation/digest.ts'
import { encodeEvaluationResult } from 'polgate-service/operators/evaluationResult.ts'
import type { Operator, SignAnswer, SignRequest } from 'polgate-service/operators/operator.ts'
import { taskResponseOf } from 'polgate-service/operators/taskResponse.ts'
import { toHex } from 'viem'
import { falseData } from './falseData.ts'

/** Operators of this process that can be made to delay, lie or refuse. */
export type OperatorFaults = {
  readonly around: (operator: Operator) => Operator
  /** @param operator its address */
  of(operator: string): OperatorFault
  set(operator: string, fault: OperatorFault): void
  /** Without faults again, as after a start. */
  reset(): void
}

const none: OperatorFault = { kind: 'none' }
/** False data that is remembered, of all operators. */
const maxLies = 10_000

const [allow, deny] = ['true', 'false'].map(encodeEvaluationResult) as [Data, Data]
const allows = new Set<Data>([allow, encodeEvaluationResult('"true"')])

/**
 * The lies of an operator are visible, but no attestation can be made of one that allows, whatever
 * stake lies: it never signs over data that it knows to be false, and signs the true decision where
 * it returns a false `allow`.
 *
 * @param keys of the operators in the order of the configuration, by address in lower case
 */
export function createOperatorFaults(keys: ReadonlyMap<string, BlsKey>): OperatorFaults {
  const faults = new Map<string, OperatorFault>()
  const lies = new Set<string>()
  const places = [...keys.keys()]
  const faultOf = (operator: string) => faults.get(operator.toLowerCase()) ?? none

  function lie(operator: Operator, output: string): string {
    const told = falseData(output, places.indexOf(operator.address.toLowerCase()))
    lies.add(lieKey(operator, told))
    for (const oldest of lies) {
      if (lies.size <= maxLies) break
      lies.delete(oldest)
    }
    return told
  }

  const guarded =
    <Request, Answer>(
      operator: Operator,
      call: (request: Request, signal: AbortSignal) => Promise<Answer>,
    ) =>
    async (request: Request, signal: AbortSignal): Promise<Answer> => {
      const fault = faultOf(operator.address)
      if (fault.kind === 'refuse') throw refused('it was told to')
      if (fault.kind === 'delay') await delay(fault.delayMs, signal)
      return await call(request, signal)
    }

  return {
    around: (operator) => ({
      ...operator,
      evaluate: guarded(operator, operator.evaluate),
      checkSecrets: guarded(operator, operator.checkSecrets),
      beginOpening: guarded(operator, operator.beginOpening),
      collectData: guarded(operator, async (request, signal) => {
        const answer = await operator.collectData(request, signal)
        // A simulation asks one operator, whose answer no other one checks.
        if (request.referenceBlock === undefined) return answer
        if (faultOf(operator.address).kind !== 'lie-data') return answer
        return { ...answer, outputs: answer.outputs.map((output) => lie(operator, output)) }
      }),
      sign: guarded(operator, async (request, signal) => {
        // Also once it has stopped lying: the data of this task may be from before.
        if (request.evaluation.data.some((output) => lies.has(lieKey(operator, output))))
          throw refused('the settled data is false data that it reported')
        const answer = await operator.sign(request, signal)
        if (faultOf(operator.address).kind !== 'lie-decision') return answer
        if (!allows.has(answer.evaluationResult)) return { ...answer, evaluationResult: allow }
        return denial(request, answer, keys.get(operator.address.toLowerCase()))
      }),
    }),
    of: faultOf,
    set(operator, fault) {
      if (fault.kind === 'none') faults.delete(operator.toLowerCase())
      else faults.set(operator.toLowerCase(), fault)
    },
    reset: () => faults.clear(),
  }
}

function denial(request: SignRequest, answer: SignAnswer, key: BlsKey | undefined): SignAnswer {
  if (key === undefined) return { ...answer, evaluationResult: deny, reasons: [] }
  const response = taskResponseOf(request.draft, request.evaluation.intent, deny)
  const { X, Y } = key.sign(responseDigest(response))
  const signature = { X: toHex(X), Y: toHex(Y) }
  return { ...answer, evaluationResult: deny, reasons: [], signature }
}

async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}

const lieKey = ({ address }: Operator, output: string): string =>
  createHash('sha256').update(`${address.toLowerCase()} ${output}`).digest('base64')

const refused = (why: string) =>
  new ServiceError(`operator refuses: ${why}`, {
    code: errorCode.internalError,
    clause: 'section 2.5',
    hint: 'Take the fault from the operator: POST /operators/:index/fault of the control API.',
    retryable: true,
  })
