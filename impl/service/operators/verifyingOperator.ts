import type { Clock } from 'polgate-protocol/clock.ts'
import { responseDigest } from '../attestation/digest.ts'
import type { ChainView } from './chainView.ts'
import { checkCid, checkSignRequest, checkSources } from './checkAgainstChain.ts'
import { createObservationCache } from './observationCache.ts'
import type { DataRequest, Operator } from './operator.ts'
import { chainDisagrees } from './operatorErrors.ts'
import { createSignedResponses, type SignedResponses } from './signedResponses.ts'
import { taskResponseOf } from './taskResponse.ts'

export type CarefulOperatorOptions = {
  readonly chain: ChainView
  readonly clock: Clock
  /** Default: in memory. */
  readonly responses?: Pick<SignedResponses, 'admit'> | undefined
}

/**
 * An operator that verifies its gateway's requests. For a task it runs only the oracles that the
 * client has on chain; it signs only responses that match the chain at the reference block, with
 * data that it observed itself; and it signs one response per task.
 *
 * Oracles in simulations (sections 4.6 and 4.7) may be of any data source on chain: an envelope is
 * bound to client and chain (decision K2), not to a source.
 */
export function verifyingOperator(
  inner: Operator,
  { chain, clock, responses = createSignedResponses() }: CarefulOperatorOptions,
): Operator {
  const observations = createObservationCache()

  async function checkData(request: DataRequest, signal: AbortSignal): Promise<void> {
    const { policyClient, referenceBlock, sources } = request
    if (referenceBlock !== undefined) {
      checkSources(request, await chain.contextAt(policyClient, referenceBlock, signal), chain)
      return
    }
    for (const { policyDataAddress, wasmCid } of sources) {
      checkCid('wasmCid', wasmCid, (await chain.policyData(policyDataAddress)).wasmCid)
    }
  }

  return {
    address: inner.address,
    id: inner.id,
    async collectData(request, signal) {
      await checkData(request, signal)
      const answer = await inner.collectData(request, signal)
      const { referenceBlock } = request
      if (referenceBlock !== undefined) {
        observations.remember({ ...request, referenceBlock }, answer.outputs)
      }
      return answer
    },
    evaluate: inner.evaluate,
    // Verifies its own grants.
    beginOpening: inner.beginOpening,
    async sign(request, signal) {
      const { draft, evaluation, referenceBlock } = request
      const context = await chain.contextAt(draft.policyClient, referenceBlock, signal)
      checkSignRequest(request, context, { ...chain, now: clock() })
      if (!observations.confirms(request)) {
        throw chainDisagrees('it did not observe this data', true)
      }
      const answer = await inner.sign(request, signal)
      const { evaluationResult } = answer
      const digest = responseDigest(taskResponseOf(draft, evaluation.intent, evaluationResult))
      if (!responses.admit(draft.taskId, digest)) {
        throw chainDisagrees('it has signed another response to this task', true)
      }
      return answer
    },
    async checkSecrets(request, signal) {
      const { secretsSchemaCid } = await chain.policyData(request.policyDataAddress)
      checkCid('schemaCid', request.schemaCid, secretsSchemaCid)
      return await inner.checkSecrets(request, signal)
    },
  }
}
