import { devAccount, devPrivateKeys } from 'polgate-chain/accounts.ts'
import type { Address, Hex } from 'polgate-protocol/scalars.ts'
import type { KeyPermission } from 'polgate-service/store/keyOptions.ts'
import { keccak256, stringToHex } from 'viem'

/**
 * Keys of local stacks, the same on every machine and start. All are public and have no value
 * elsewhere.
 */

const secret = (name: string): Hex => keccak256(stringToHex(`public development key: ${name}`))
const account = (index: number) => ({
  address: devAccount(index).address,
  privateKey: devPrivateKeys[index] as Hex,
})

/** Roles of the accounts that the chain funds. */
export const devAccounts = {
  /** Deploys contracts and owns the policy clients. */
  owner: account(0),
  sender: account(1),
  recipient: { address: devAccount(2).address },
  /** Provides confidential data; unrelated to any policy, like the next one. */
  provider: account(3),
  stranger: account(4),
  /** Posts tasks, attests data, signs for the gateway. */
  gateway: account(9),
} as const

/** X25519, 32 bytes of hex: secrets key and privacy key (section 4.10). */
export const devEncryptionKeys = { secrets: secret('secrets'), privacy: secret('privacy') } as const

export type DevOperator = {
  readonly address: Address
  readonly blsKey: Hex
  /** Ed25519, for threshold mode. */
  readonly thresholdKey: Hex
  /** Stake in quorum 0; 100 in total. */
  readonly stake: bigint
}

/** Different stakes, so that no two sets of operators have the same weight by chance. */
export const devOperators: readonly DevOperator[] = [40n, 30n, 20n, 10n].map((stake, at) => ({
  address: devAccount(5 + at).address,
  blsKey: secret(`operator ${at}`),
  thresholdKey: secret(`operator ${at}, threshold`),
  stake,
}))

export type DevApiKey = {
  readonly name: string
  readonly key: string
  readonly permissions: readonly KeyPermission[]
  readonly owners: readonly Address[]
  readonly expiresAt?: Date
}

const owners = [devAccounts.owner.address, devAccounts.provider.address]

/** API keys by permission (section 5.1). */
export const devApiKeys = {
  read: { key: 'dev-read-public-key', permissions: ['rpc_read'], owners },
  write: { key: 'dev-write-public-key', permissions: ['rpc_write'], owners },
  rpc: { key: 'dev-rpc-public-key', permissions: ['rpc'], owners },
  none: { key: 'dev-none-public-key', permissions: [], owners },
  expired: { key: 'dev-expired-public-key', permissions: ['rpc'], owners, expiresAt: new Date(0) },
  stranger: {
    key: 'dev-stranger-public-key',
    permissions: ['rpc'],
    owners: [devAccounts.stranger.address],
  },
  admin: { key: 'dev-admin-public-key', permissions: ['admin'], owners },
} as const satisfies Record<string, Omit<DevApiKey, 'name'>>
