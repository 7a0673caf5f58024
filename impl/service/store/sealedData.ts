import type { Clock } from 'polgate-protocol/clock.ts'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import type { Database } from './database.ts'

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
export type Upload = { readonly dataRefId: Bytes32; readonly keyId: string }

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

  return {
    identity,
    confidential,

    /** Stores the data unless the reference exists. @returns the stored data */
    async keepIdentity({ dataRefId, keyId }: Upload, data: IdentityData): Promise<IdentityData> {
      const { identityOwner, identityDomain, chainId, envelope } = data
      const [stored] = await database.query<IdentityData>(
        `insert into identity_data
           (data_ref_id, identity_owner, identity_domain, chain_id, envelope, api_key_id, stored_at)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (data_ref_id) do nothing
         returning ${identityColumns}`,
        [
          dataRefId.toLowerCase(),
          identityOwner.toLowerCase(),
          identityDomain.toLowerCase(),
          chainId,
          envelope,
          keyId,
          new Date(clock()),
        ],
      )
      return stored ?? (await identity(dataRefId))!
    },

    /** Stores the data unless the reference exists. @returns the stored data */
    async keepConfidential(
      { dataRefId, keyId }: Upload,
      data: ConfidentialData,
    ): Promise<ConfidentialData> {
      const { provider, domain, dataType, chainId, envelope } = data
      const [stored] = await database.query<ConfidentialData>(
        `insert into confidential_data
           (data_ref_id, provider, domain, data_type, chain_id, envelope, api_key_id, stored_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (data_ref_id) do nothing
         returning ${confidentialColumns}`,
        [
          dataRefId.toLowerCase(),
          provider.toLowerCase(),
          domain.toLowerCase(),
          dataType,
          chainId,
          envelope,
          keyId,
          new Date(clock()),
        ],
      )
      return stored ?? (await confidential(dataRefId))!
    },
  }
}

export type SealedDataQueries = ReturnType<typeof sealedDataQueries>
