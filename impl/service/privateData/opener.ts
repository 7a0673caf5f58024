import type { Address } from 'polgate-protocol/scalars.ts'
import type { EncryptionKey } from '../envelopes/encryptionKey.ts'
import { openEnvelope } from '../envelopes/envelope.ts'
import { EnvelopeError } from '../envelopes/envelopeError.ts'
import { privateDataFailed } from '../operators/operatorErrors.ts'
import type { LocalKeyHolder } from '../threshold/keyHolder.ts'
import type { OpeningRequest, SealedPartial } from '../threshold/opening.ts'
import { ThresholdError } from '../threshold/thresholdError.ts'
import { claimOf } from './grant.ts'
import type { PlannedOpening } from './openingPlan.ts'

/** Openings in progress, of one task. */
export type BegunOpenings = {
  readonly requests: readonly OpeningRequest[]
  /**
   * The plaintexts in the order of the planned openings; the caller wipes them.
   *
   * @throws ServiceError, after wiping those that were opened
   */
  open(
    partials: readonly (readonly SealedPartial[])[],
    onWrong: (members: readonly Address[]) => void,
  ): Promise<Uint8Array[]>
}

/** How envelopes are opened: by the members of the shared key, or with one key. */
export type Opener = (planned: readonly PlannedOpening[]) => Promise<BegunOpenings>

/** With the partial decryptions of the members of the shared key, on behalf of one of them. */
export function thresholdOpener(holder: LocalKeyHolder, chainId: number): Opener {
  return async (planned) => {
    const openings = await Promise.all(
      planned.map(({ envelope, grant }) => holder.beginOpening(envelope, claimOf(grant))),
    ).catch(failed)
    return {
      requests: openings.map(({ request }) => request),
      open: (partials, onWrong) =>
        all(openings, (opening, at) =>
          opening.open(partials[at] ?? [], {
            ...{ chainId, onWrong },
            policyClient: planned[at]!.sealedFor,
            use: planned[at]!.grant.kind,
          }),
        ),
    }
  }
}

/** With the privacy key that this process has. */
export function singleKeyOpener(key: EncryptionKey, chainId: number): Opener {
  return async (planned) => ({
    requests: [],
    open: () =>
      all(planned, ({ envelope, grant: { kind: use }, sealedFor: policyClient }) =>
        openEnvelope({ envelope, key, policyClient, chainId, use }),
      ),
  })
}

/** Of an operator that holds neither a share nor a key. */
export const noOpener: Opener = async () => {
  throw privateDataFailed(
    'this operator has no share of the privacy key: operators in processes of their own need threshold mode',
    false,
  )
}

async function all<T>(
  items: readonly T[],
  open: (item: T, at: number) => Promise<Uint8Array>,
): Promise<Uint8Array[]> {
  const settled = await Promise.allSettled(items.map(open))
  const opened = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failure = settled.find((one) => one.status === 'rejected')
  if (failure === undefined) return opened
  for (const plaintext of opened) plaintext.fill(0)
  return failed(failure.reason)
}

/** Both classes name members and counts, never a plaintext. */
function failed(error: unknown): never {
  if (error instanceof ThresholdError)
    throw privateDataFailed(error.message, error.code !== 'open' && error.code !== 'point', error)
  if (error instanceof EnvelopeError) throw privateDataFailed(error.message, false)
  throw error
}
