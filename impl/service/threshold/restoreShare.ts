import { base, scalarOf } from './group.ts'
import type { HolderState } from './holderState.ts'
import type { Member } from './roster.ts'
import { placeOf } from './roster.ts'
import type { ShareFile } from './shareFile.ts'
import { readShare, type StoredShare } from './storedShare.ts'
import { ThresholdError } from './thresholdError.ts'

/** A key and its epoch, as some operator reports it. */
export type KnownEpoch = { readonly publicKey: string; readonly epoch: number }

export type RestoreOptions = {
  readonly file: ShareFile
  readonly member: Pick<Member, 'address'>
  /** What the other operators use now, if known. */
  readonly known?: readonly KnownEpoch[]
  /** Said by the operator: restore a share that is older than one in use. */
  readonly olderEpoch?: boolean
  /** Said by the operator: restore a share of another key. */
  readonly anotherKey?: boolean
}

export type Restored = {
  /** `unchanged`: this share is in use already. */
  readonly outcome: 'restored' | 'unchanged'
  /** Where a file that was replaced is now. */
  readonly setAside: string | undefined
}

/** The share to back up. @throws ThresholdError `state` without one, or during a resharing */
export async function shareToBackUp(file: ShareFile): Promise<StoredShare> {
  const { active, provisional, next } = await file.state()
  if (active === undefined) return refuse('this operator holds no share of a key')
  if (provisional === true || next !== undefined)
    return refuse('a resharing is not settled yet', 'Run `polgate key status`, then back up.')
  return active
}

/**
 * Stores the share of a backup. A share in use is replaced only by a later epoch of the same key,
 * unless the operator says otherwise; whatever is replaced is set aside, not deleted.
 *
 * An older epoch is useless: the members that use the next one have deleted their old shares. Then
 * the share is recovered from the others instead.
 *
 * @throws ThresholdError `state` with what to say or to do instead
 */
export async function restoreShare(
  stored: StoredShare,
  options: RestoreOptions,
): Promise<Restored> {
  const { file, member, known = [] } = options
  const { key, share, place } = readShare(stored)
  if (place !== placeOf(stored, member.address))
    return refuse(`the backup is not of ${member.address}`)
  if (!base.multiply(share).equals(key.verificationKey(place)))
    return refuse('the share of the backup does not match its key')
  const state = await file.state().catch((error: unknown) => {
    // A damaged file is what a backup is for; one that cannot be read is not.
    if (error instanceof ThresholdError && error.message.endsWith('damaged')) return undefined
    throw error
  })
  const active = state?.active
  if (active?.session === stored.session && scalarOf(active.share) === share)
    return { outcome: 'unchanged', setAside: undefined }
  for (const other of [...known, ...epochsIn(state)]) check(other, key, options)
  const setAside = await file.setAside()
  await file.replace({ version: 2, active: stored, abandoned: [] })
  return { outcome: 'restored', setAside }
}

function epochsIn(state: HolderState | undefined): (KnownEpoch & { readonly own: true })[] {
  const { active, next } = state ?? {}
  return [active, next?.share].flatMap((one) =>
    one === undefined ? [] : [{ ...readShare(one).key, own: true as const }],
  )
}

function check(
  other: KnownEpoch & { readonly own?: true },
  key: KnownEpoch,
  { olderEpoch, anotherKey }: RestoreOptions,
): void {
  const whose = other.own ? 'this operator has' : 'the operators have'
  if (other.publicKey !== key.publicKey) {
    if (!anotherKey)
      refuse(
        `${whose} a share of another key than the backup`,
        'If that is intended, say so with --another-key.',
      )
    return
  }
  const older = other.own ? other.epoch >= key.epoch : other.epoch > key.epoch
  if (older && !olderEpoch)
    refuse(
      `${whose} epoch ${other.epoch}, the backup has epoch ${key.epoch}`,
      'Recover the share with `polgate key recover`. If the old epoch is intended, say so with --older-epoch.',
    )
}

function refuse(message: string, hint?: string): never {
  throw new ThresholdError('state', message, { hint })
}
