import type { Clock } from 'polgate-protocol/clock.ts'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import { fingerprintsOf } from '../envelopes/fingerprints.ts'
import type { Database } from './database.ts'
import { reserved, reserving, StoredForAnotherUse, type StoredUse } from './envelopeFingerprints.ts'
import { KeyChanged, lockUsedKey, type UsedKey, usedKeyParams } from './usedKey.ts'

/** Sealed identity data of an owner, for one of its domains. Hex in lower case. */
export type IdentityData = {
  readonly identityOwner: Address
  readonly identityDomain: Bytes32
  readonly chainId: number
  /** Exactly as it was received. */
  readonly envelope: string
}

/**
 * Sealed data of a provider, with the type that the chain had for it on upload. Hex in lower case.
 */
export type ConfidentialData = {
  readonly provider: Address
  readonly domain: Bytes32
  readonly dataType: string
  readonly chainId: number
  /** Exactly as it was received. */
  readonly envelope: string
}

/** The reference of the upload, and the API key that sent it. */
export type Upload = {
  readonly dataRefId: Bytes32
  readonly keyId: string
  /** Absent: the upload has no API key that could have changed meanwhile. */
  readonly key?: UsedKey | undefined
}

const identityColumns = `identity_owner as "identityOwner", identity_domain as "identityDomain",
  chain_id as "chainId", envelope`
const confidentialColumns = `provider, domain, data_type as "dataType", chain_id as "chainId", envelope`

/**
 * Envelopes of identity and confidential data by reference (section 4.10). Entries never change: a
 * reference is the hash of its envelope.
 */
export function sealedDataQueries(database: Database, clock: Clock) {
  const identity = async (dataRefId: Bytes32): Promise<IdentityData | undefined> => {
    const [row] = await database.query<IdentityData>(
      `select ${identityColumns} from identity_data where data_ref_id = $1`,
      [dataRefId.toLowerCase()],
    )
    return row
  }

  const confidential = async (dataRefId: Bytes32): Promise<ConfidentialData | undefined> => {
    const [row] = await database.query<ConfidentialData>(
      `select ${confidentialColumns} from confidential_data where data_ref_id = $1`,
      [dataRefId.toLowerCase()],
    )
    return row
  }

  /** @returns whether the row is new @throws KeyChanged */
  async function keep(
    use: Exclude<StoredUse, 'secrets'>,
    { dataRefId, keyId, key }: Upload,
    row: { readonly envelope: string } & Readonly<Record<string, string | number>>,
  ): Promise<boolean> {
    const now = new Date(clock())
    const upload = { data_ref_id: dataRefId.toLowerCase(), api_key_id: keyId, stored_at: now }
    const columns = { ...upload, ...row }
    const names = Object.keys(columns)
    const values = names.map((name, at) => `$${at + 1}${casts[name] ?? ''}`)
    const fingerprints = names.length + 1
    const usedKey = fingerprints + 1
    const [outcome] = await database.query<{ stored: boolean; keyValid: boolean }>(
      `${reserving(use, fingerprints)},
       valid_key as materialized (${lockUsedKey(usedKey)}),
       stored as (
         insert into ${use}_data (${names}) select ${values}
         where ${reserved(use)} and ($${usedKey}::text is null or exists (select from valid_key))
         on conflict (data_ref_id) do nothing
         returning 1
       )
       select exists (select from stored) as stored,
         $${usedKey}::text is null or exists (select from valid_key) as "keyValid"`,
      [...Object.values(columns), fingerprintsOf(row.envelope), ...usedKeyParams(key, now)],
    )
    if (!outcome!.keyValid) throw new KeyChanged()
    return outcome!.stored
  }

  return {
    identity,
    confidential,

    /**
     * Stores the data unless the reference exists.
     *
     * @returns the stored data
     * @throws StoredForAnotherUse, KeyChanged
     */
    async keepIdentity(upload: Upload, data: IdentityData): Promise<IdentityData> {
      const { envelope, chainId } = data
      const identityOwner = lower(data.identityOwner)
      const identityDomain = lower(data.identityDomain)
      const columns = { identity_owner: identityOwner, identity_domain: identityDomain }
      const isNew = await keep('identity', upload, { ...columns, chain_id: chainId, envelope })
      if (isNew) return { identityOwner, identityDomain, chainId, envelope }
      return keptBefore(await identity(upload.dataRefId))
    },

    /** As `keepIdentity`. @throws StoredForAnotherUse, KeyChanged */
    async keepConfidential(upload: Upload, data: ConfidentialData): Promise<ConfidentialData> {
      const { dataType, envelope, chainId } = data
      const provider = lower(data.provider)
      const domain = lower(data.domain)
      const columns = { provider, domain, data_type: dataType, chain_id: chainId, envelope }
      if (await keep('confidential', upload, columns))
        return { provider, domain, dataType, chainId, envelope }
      return keptBefore(await confidential(upload.dataRefId))
    },
  }
}

const lower = (hex: `0x${string}`) => hex.toLowerCase() as `0x${string}`

/** Parameters of an inserted row are texts, but for these. */
const casts: Readonly<Record<string, string>> = { chain_id: '::int8', stored_at: '::timestamptz' }

function keptBefore<T>(data: T | undefined): T {
  if (data === undefined) throw new StoredForAnotherUse()
  return data
}

export type SealedDataQueries = ReturnType<typeof sealedDataQueries>
