import { type Hex, isHex } from 'viem'
import type { Check } from '../core/check.ts'
import { expectEqual, expectThat, type JsonObject } from '../core/expect.ts'
import {
  type Attestation,
  decisionOf,
  hasAttestation,
  responseOfResult,
  taskOfResult,
} from '../crypto/attestation.ts'
import { expectDecision } from '../kit/assertions/contract.ts'
import { isRequired, observed } from '../kit/assertions/observed.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { followedNeeds, resultOfTask } from '../kit/scenarios/followedTasks.ts'
import {
  acceptedTask,
  taskParams,
  transferIntent,
  unlistedRecipient,
} from '../kit/scenarios/requests.ts'

/** Sections 4.3 and 6.1: the attestation in the last update of a sent task. */
const needs = followedNeeds

function attestationOf(result: JsonObject): Attestation {
  const response = result.task_response as JsonObject | undefined
  const signatureData = response?.signature_data ?? result.signature_data
  expectThat(isHex(signatureData), 'signature_data', 'hex', signatureData)
  return { task: taskOfResult(result), response: responseOfResult(result), signatureData }
}

export const sentTaskAttestation: readonly Check[] = [
  {
    // 6.1-21: The content of result.data.result.
    id: 'rpc.sendTask.attested',
    title: 'the last update contains an attestation that the contract accepts, as in createTask',
    clauses: ['6.1-21'],
    level: 'may',
    needs,
    run: async (t) => {
      const result = await resultOfTask(t, taskParams(t))
      if (!isRequired(t, 'signed-result') && !hasAttestation(result))
        return t.observe(`the result has the members ${Object.keys(result).join(', ')}`)
      const attestation = attestationOf(result)
      expectEqual(decisionOf(attestation.response.evaluationResult), true, 'the decision')
      await expectDecision(t, attestation, true)
      const { result: created } = await acceptedTask(t)
      const { validate_calldata: _, ...members } = created
      observed(t, 'members', 'its members', Object.keys(result).sort(), {
        ofCreateTask: Object.keys(members).sort(),
      })
    },
  },
  {
    // 6.1-21: The content of result.data.result.
    // 4.3-17: How a task id is computed, and whether in the same way as for createTask.
    id: 'rpc.sendTask.denied',
    title: 'a task that the policy denies is also signed, with the decision deny',
    clauses: ['6.1-21', '4.3-17'],
    level: 'may',
    needs,
    twin: 'the same transfer to a recipient on the list',
    run: async (t) => {
      const decide = async (change: { to?: Hex }) => {
        const intent = transferIntent(t, change)
        const result = await resultOfTask(t, taskParams(t, fixture.simple, { intent }))
        if (!isRequired(t, 'signed-result') && !hasAttestation(result)) return undefined
        const attestation = attestationOf(result)
        const decision = decisionOf(attestation.response.evaluationResult)
        await expectDecision(t, attestation, decision === true)
        return decision
      }
      await t.twin(async () =>
        observed(t, 'listed-recipient', 'a listed recipient', await decide({})),
      )
      observed(t, 'another-recipient', 'another recipient', await decide({ to: unlistedRecipient }))
    },
  },
]
