import type { TransactionReceipt } from 'viem'
import { type SendingOptions, sendCall } from '../chain/sendCall.ts'
import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import { signerOfWallet } from '../intents/signer.ts'
import {
  type UploadedIdentity,
  type UploadIdentityOptions,
  uploadIdentity,
} from '../intents/uploadIdentity.ts'
import { checkDomain, checkPlaintext, maxIdentityBytes } from './checks.ts'

/** The account of `walletClient` is the identity owner; it signs the upload and sends the registration. */
export type RegisterIdentityOptions = SendingOptions &
  Omit<UploadIdentityOptions, 'account' | 'plaintext'> & {
    /**
     * UTF-8 JSON of an object, at most 64 KiB. Policies read its members by name; helpers read `status`, `birthdate` and
     * `expiration_date` (`YYYY-MM-DD`) and `address_country_code` (two letters, ISO 3166-1).
     */
    readonly plaintext: Uint8Array
  }

export type RegisteredIdentity = Pick<UploadedIdentity, 'dataRefId' | 'envelope'> & {
  readonly receipt: TransactionReceipt
}

/**
 * Seals identity data, uploads it (`uploadIdentity`), and registers it on chain. It takes the place of what the owner
 * had in this domain. No policy reads it before it is linked: `linkIdentity`. Needs RpcWrite, and RpcRead for the
 * public key.
 *
 * @throws InvalidOptionsError without the data; RegistrationInvalidError, and then nothing is registered;
 *   ContractError, with the custom error; others by cause
 */
export async function registerIdentity(
  client: BaseClient,
  registered: RegisterIdentityOptions,
  options?: CallOptions,
): Promise<RegisteredIdentity> {
  const { walletClient, timeoutMs, plaintext, ...upload } = registered
  checkDomain('identityDomain', upload.identityDomain)
  checkPlaintext('The identity', plaintext, maxIdentityBytes)
  const account = signerOfWallet(walletClient)
  const uploaded = await uploadIdentity(client, { ...upload, account, plaintext }, options)
  const { dataRefId, envelope, registration } = uploaded
  const receipt = await sendCall({ walletClient, timeoutMs }, registration, [
    `Identity owner: ${walletClient.account.address}`,
    `Identity domain: ${upload.identityDomain}`,
  ])
  return { dataRefId, envelope, receipt }
}
