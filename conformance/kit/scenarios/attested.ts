import type { Hex } from 'viem'
import type { CheckContext } from '../../core/context.ts'
import { expectMatch, type JsonObject } from '../../core/expect.ts'
import { type Attestation, decodeAttestation } from '../../crypto/attestation.ts'
import { fixture } from './fixtures.ts'
import { acceptedTask, createTask, expectTask, taskParams } from './requests.ts'

export type AttestedTask = { readonly attestation: Attestation; readonly result: JsonObject }

function attestedOf(result: JsonObject): AttestedTask {
  expectMatch(result.validate_calldata, /^0x[0-9a-f]+$/i, 'validate_calldata')
  return { attestation: decodeAttestation(result.validate_calldata as Hex), result }
}

/** The shared accepted task, as input of a contract. Its decision is allow. */
export const sharedAttestation = async (t: CheckContext): Promise<AttestedTask> =>
  attestedOf((await acceptedTask(t)).result)

/** A separate task, for a check that spends its attestation or lets it expire. */
export const freshAttestation = async (
  t: CheckContext,
  overrides: Record<string, unknown> = {},
  name: string = fixture.simple,
): Promise<AttestedTask> =>
  attestedOf(
    expectTask(
      await createTask(t, taskParams(t, name, { include_validate_calldata: true, ...overrides })),
    ),
  )
