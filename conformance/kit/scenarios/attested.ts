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

/**
 * Whether an attestation lasts: at least half of the blocks between its reference block and its
 * expiration are left, so that a check that starts now ends before it expires.
 */
async function lasts(t: CheckContext, { result }: AttestedTask): Promise<boolean> {
  const expiration = Number(result.expiration)
  const left = expiration - Number(await t.chain().getBlockNumber())
  // Of a result without these numbers nothing is known; other checks refuse it.
  return !(2 * left < expiration - Number(result.reference_block))
}

/**
 * The shared accepted task, as input of a contract. Its decision is allow. Other checks and users of
 * the chain mine blocks: an attestation that expires soon is replaced by a new one.
 */
export async function sharedAttestation(t: CheckContext): Promise<AttestedTask> {
  const holder = await t.once<{ latest: Promise<AttestedTask> | undefined }>(
    'shared attestation',
    async () => ({ latest: undefined }),
  )
  const first = () => acceptedTask(t).then(({ result }) => attestedOf(result))
  // One after the other: of concurrent checks the first replaces it.
  holder.latest = (holder.latest?.catch(first) ?? first()).then(async (attested) =>
    (await lasts(t, attested)) ? attested : freshAttestation(t),
  )
  return holder.latest
}

/**
 * An attestation for a check with many steps: `make` creates it, and creates another as soon as it
 * expires soon. `begin` is called with each before its first use.
 */
export function lastingAttestation(
  t: CheckContext,
  make: () => Promise<AttestedTask>,
  begin: (attested: AttestedTask) => Promise<void>,
): () => Promise<AttestedTask> {
  let latest: AttestedTask | undefined
  return async () => {
    if (latest === undefined || !(await lasts(t, latest))) {
      const made = await make()
      await begin(made)
      latest = made
    }
    return latest
  }
}

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
