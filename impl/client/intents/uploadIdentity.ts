import { type Client, hashTypedData, keccak256, recoverAddress, stringToHex } from 'viem'
import { readContract } from 'viem/actions'
import { getPrivacyPublicKey } from '../actions/getPrivacyPublicKey.ts'
import { uploadIdentityEncrypted } from '../actions/uploadIdentityEncrypted.ts'
import { contractErrorOf } from '../chain/contractErrorOf.ts'
import { chainIdOf } from '../client/chainIdOf.ts'
import type { CallOptions } from '../client/connection.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import { RegistrationInvalidError } from '../errors/chainErrors.ts'
import { identityRegistryAbi } from '../generated/contractAbis.ts'
import type { Hex } from '../hex.ts'
import { boundWhere } from '../sealing/envelopeBinding.ts'
import { sealEnvelope } from '../sealing/sealEnvelope.ts'
import { type ChainReader, readerOf } from './readerOf.ts'
import { addressOf, signTypedMessage, type TypedDataSigner } from './signer.ts'

export type UploadIdentityOptions = {
  /** The identity owner. */
  readonly account: TypedDataSigner
  /** 32 bytes. */
  readonly identityDomain: Hex
  readonly plaintext: Uint8Array
  /** The registry on chain, whose address is part of both signatures (decisions K6 and K7). */
  readonly identityRegistry: Hex
  /** What the envelope is bound to (decision K4). Default: the owner; policies read no other. */
  readonly policyClient?: Hex | undefined
  /** Default: the chain of the client. */
  readonly chainId?: number | undefined
  /** Reads which gateway the registry accepts. Default: the first RPC URL of the client's chain. */
  readonly publicClient?: ChainReader | undefined
}

/** Uploaded data, and the call that registers it: `args` of `registerIdentityData` (decision C15). */
export type UploadedIdentity = {
  readonly dataRefId: Hex
  readonly envelope: string
  /** The gateway whose signature was verified. */
  readonly gateway: Hex
  /** Unix seconds, in the time of the chain: register before. */
  readonly deadline: number
  readonly registration: {
    readonly address: Hex
    readonly abi: typeof identityRegistryAbi
    readonly functionName: 'registerIdentityData'
    readonly args: readonly [
      owner: Hex,
      domain: Hex,
      dataRefId: string,
      signature: Hex,
      deadline: bigint,
    ]
  }
}

const registrationTypes = {
  registerIdentityData: [
    { name: 'identityOwner', type: 'address' },
    { name: 'identityDomain', type: 'bytes32' },
    { name: 'dataRefId', type: 'string' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/**
 * Seals identity data to the privacy key, signs the envelope as its owner (decision K6), uploads it,
 * and verifies what the gateway returns: the reference is the hash of the envelope, and its signature
 * is that of the gateway which the registry accepts (decision K7). Then the owner registers it:
 * `walletClient.writeContract(uploaded.registration)`. Needs RpcWrite, and RpcRead for the public key.
 *
 * @throws ContractError for an address that is no registry, before anything is uploaded;
 * RegistrationInvalidError, OwnershipError and others by cause
 */
export async function uploadIdentity(
  client: BaseClient,
  uploaded: UploadIdentityOptions,
  options?: CallOptions,
): Promise<UploadedIdentity> {
  const { account, identityDomain, identityRegistry } = uploaded
  const owner = addressOf(account)
  const chainId = chainIdOf(client, uploaded.chainId)
  const reader = readerOf(client, uploaded.publicClient)
  const domain = {
    name: 'IdentityRegistry',
    version: '1',
    chainId,
    verifyingContract: identityRegistry,
  }
  const gateway = await acceptedGateway(reader, identityRegistry)
  const key = await getPrivacyPublicKey(client, {}, options)
  const envelope = await sealEnvelope({
    plaintext: uploaded.plaintext,
    policyClient: uploaded.policyClient ?? owner,
    chainId,
    recipientPublicKey: key.public_key,
    proven: true,
    binding: boundWhere(key, { use: 'identity' }),
  })
  const signature = await signTypedMessage(account, {
    domain,
    types: { EncryptedIdentityData: [{ name: 'data', type: 'string' }] },
    primaryType: 'EncryptedIdentityData',
    message: { data: envelope },
  })
  const answer = await uploadIdentityEncrypted(
    client,
    {
      identity_owner: owner,
      identity_owner_sig: signature,
      envelope,
      identity_domain: identityDomain,
      chain_id: chainId,
    },
    options,
  )
  const { data_ref_id: dataRefId, gateway_signature, deadline } = answer
  if (dataRefId?.toLowerCase() !== keccak256(stringToHex(envelope)))
    throw new RegistrationInvalidError('the reference is not the hash of the envelope')
  const hash = hashTypedData({
    domain,
    types: registrationTypes,
    primaryType: 'registerIdentityData',
    message: { identityOwner: owner, identityDomain, dataRefId, deadline: BigInt(deadline) },
  })
  const signer = await recoverAddress({ hash, signature: gateway_signature }).catch(() => undefined)
  if (signer?.toLowerCase() !== gateway.toLowerCase())
    throw new RegistrationInvalidError(
      'it is not signed by the gateway that the registry accepts',
      {
        metaMessages: [`Accepted: ${gateway}`, `Signer: ${signer ?? 'none'}`],
      },
    )
  const args = [owner, identityDomain, dataRefId, gateway_signature, BigInt(deadline)] as const
  const call = { address: identityRegistry, abi: identityRegistryAbi } as const
  const registration = { ...call, functionName: 'registerIdentityData', args } as const
  return { dataRefId, envelope, gateway, deadline, registration }
}

const acceptedGateway = (reader: Client, address: Hex): Promise<Hex> =>
  readContract(reader, { address, abi: identityRegistryAbi, functionName: 'gateway' }).catch(
    (error: unknown) => {
      throw contractErrorOf(error, { metaMessages: [`Identity registry: ${address}`] })
    },
  )
