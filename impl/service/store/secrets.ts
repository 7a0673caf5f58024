import type { Clock } from 'polgate-protocol/clock.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { fingerprintsOf } from '../envelopes/fingerprints.ts'
import type { Database } from './database.ts'
import { reserved, reserving, StoredForAnotherUse } from './envelopeFingerprints.ts'
import { KeyChanged, lockUsedKey, selectUsedKey, type UsedKey, usedKeyParams } from './usedKey.ts'

/** The scope of secrets: a policy client and a PolicyData contract (section 2.7). */
export type SecretsScope = { readonly policyClient: Address; readonly policyDataAddress: Address }

/** By what right an upload is stored. */
export type UploadRight = {
  /** Absent: the upload has no API key that could have changed meanwhile. */
  readonly key?: UsedKey | undefined
  /** Who owned the client at which block, as read immediately before. */
  readonly chainId: number
  readonly owner: Address
  readonly block: number
}

/**
 * `superseded`: the stored secrets are of another owner, whom a later block has. `key-changed`: the API
 * key was deleted or rotated, or has expired.
 */
export type PutOutcome = 'stored' | 'superseded' | 'key-changed'

const keyOf = (scope: SecretsScope): [string, string] => [
  scope.policyClient.toLowerCase(),
  scope.policyDataAddress.toLowerCase(),
]

/** Encrypted envelopes, one per scope; the store never has plaintext (section 5.3). */
export const secretQueries = (database: Database, clock: Clock) => ({
  /**
   * Stores an envelope exactly as it was received, replacing an earlier one, unless the right to do so
   * has passed to another owner. Uploads of one owner are stored in the order of their arrival.
   *
   * @param right absent for the operator of the service, who may always store
   * @throws StoredForAnotherUse
   */
  async put(scope: SecretsScope, envelope: string, right?: UploadRight): Promise<PutOutcome> {
    const now = new Date(clock())
    const [row] = await database.query<{ free: boolean; stored: boolean; keyValid: boolean }>(
      `${reserving('secrets', 11)},
       valid_key as materialized (${lockUsedKey(8)}),
       stored as (
         insert into secrets as earlier (policy_client, policy_data_address, envelope, stored_at,
           owner, owner_chain_id, owner_block)
         select $1, $2, $3, $4, $5, $6::int8, $7::int8
         where ${reserved('secrets')} and ($8::text is null or exists (select from valid_key))
         on conflict (policy_client, policy_data_address) do update
         set envelope = excluded.envelope, stored_at = excluded.stored_at, owner = excluded.owner,
           owner_chain_id = excluded.owner_chain_id,
           owner_block = case when earlier.owner = excluded.owner
               and earlier.owner_chain_id = excluded.owner_chain_id
             then greatest(earlier.owner_block, excluded.owner_block) else excluded.owner_block end
         where excluded.owner_block is null or earlier.owner_block is null
           or earlier.owner_block <= excluded.owner_block or earlier.owner = excluded.owner
           or earlier.owner_chain_id <> excluded.owner_chain_id
         returning 1
       )
       select ${reserved('secrets')} as free, exists (select from stored) as stored,
         $8::text is null or exists (select from valid_key) as "keyValid"`,
      [
        ...keyOf(scope),
        envelope,
        now,
        right?.owner.toLowerCase() ?? null,
        right?.chainId ?? null,
        right?.block ?? null,
        ...usedKeyParams(right?.key, now),
        fingerprintsOf(envelope),
      ],
    )
    if (!row!.free) throw new StoredForAnotherUse()
    if (row!.stored) return 'stored'
    return row!.keyValid ? 'superseded' : 'key-changed'
  },

  /**
   * @param key of the caller that the secrets are used for; absent for the service itself
   * @throws KeyChanged
   */
  async get(scope: SecretsScope, key?: UsedKey): Promise<string | undefined> {
    const [row] = await database.query<{ envelope: string | null; keyValid: boolean }>(
      `select (select envelope from secrets where policy_client = $1 and policy_data_address = $2),
         $3::text is null or exists (${selectUsedKey(3)}) as "keyValid"`,
      [...keyOf(scope), ...usedKeyParams(key, new Date(clock()))],
    )
    if (!row!.keyValid) throw new KeyChanged()
    return row!.envelope ?? undefined
  },

  /**
   * The chain goes on from this block. Later blocks, at which ownership was read, may not be part of it:
   * uploads after this block would otherwise be refused until it is as long as it was.
   */
  async chainWentBack(chainId: number, block: number): Promise<void> {
    await database.query(
      'update secrets set owner_block = $2 where owner_chain_id = $1 and owner_block > $2',
      [chainId, block],
    )
  },
})

export type SecretQueries = ReturnType<typeof secretQueries>
