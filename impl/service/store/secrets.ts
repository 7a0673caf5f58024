import type { Clock } from 'polgate-protocol/clock.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { Database } from './database.ts'

/** The scope of secrets: a policy client and a PolicyData contract (section 2.7). */
export type SecretsScope = { readonly policyClient: Address; readonly policyDataAddress: Address }

const keyOf = (scope: SecretsScope): [string, string] => [
  scope.policyClient.toLowerCase(),
  scope.policyDataAddress.toLowerCase(),
]

/** Encrypted envelopes, one per scope; the store never has plaintext (section 5.3). */
export const secretQueries = (database: Database, clock: Clock) => ({
  /** Stores an envelope exactly as it was received, replacing an earlier one. */
  async put(scope: SecretsScope, envelope: string): Promise<void> {
    await database.query(
      `insert into secrets (policy_client, policy_data_address, envelope, stored_at)
       values ($1, $2, $3, $4)
       on conflict (policy_client, policy_data_address)
       do update set envelope = excluded.envelope, stored_at = excluded.stored_at`,
      [...keyOf(scope), envelope, new Date(clock())],
    )
  },

  async get(scope: SecretsScope): Promise<string | undefined> {
    const [row] = await database.query<{ envelope: string }>(
      'select envelope from secrets where policy_client = $1 and policy_data_address = $2',
      keyOf(scope),
    )
    return row?.envelope
  },
})

export type SecretQueries = ReturnType<typeof secretQueries>
