import { identityDomainOf, identityRegistration } from 'polgate-chain/identityRegistry.ts'
import type {
  UploadIdentityEncryptedParams,
  UploadIdentityEncryptedResult,
} from 'polgate-protocol/methods/uploadIdentityEncrypted.ts'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import { invalidApiKey, invalidFormat } from 'polgate-protocol/serviceError.ts'
import { dataReferenceOf } from '../envelopes/dataReference.ts'
import { StoredForAnotherUse } from '../store/envelopeFingerprints.ts'
import { KeyChanged, usedKeyOf } from '../store/usedKey.ts'
import { checkEnvelope } from './checkEnvelope.ts'
import { isSignedByOwner } from './ownerSignature.ts'
import type { Caller, SealedDataDeps } from './sealedDataDeps.ts'
import { asContractError, notSignedByOwner } from './sealedDataErrors.ts'

/** How long the gateway's signature is valid, in seconds of the chain (decisions K7 and T18). */
export const registrationSeconds = 300

/**
 * Stores data signed by an identity owner, then signs its registration on chain (section 4.10). A
 * repeated upload gets a new signature, for owners that missed the deadline. A reference stays with
 * its owner: the same envelope for another owner or domain is rejected; sealing again creates
 * another envelope.
 *
 * Any key with write permission may upload, because the owner's signature authorizes it. The sealer
 * chooses `policy_client` of the envelope freely; decryption needs the same one.
 *
 * @throws ServiceError -32602 (format, another chain or key, stored for another), -32001
 *   (the key has changed meanwhile), -32002 (not signed by the owner), -32616 (no registry, or the chain is unavailable)
 */
export async function uploadIdentity(
  { store, fingerprints, chain, signer, privacyKeys }: SealedDataDeps,
  params: UploadIdentityEncryptedParams,
  caller: Caller,
): Promise<UploadIdentityEncryptedResult> {
  const { envelope, identity_owner: owner, identity_owner_sig: signature } = params
  await fingerprints.recordSubmitted(envelope)
  checkEnvelope({
    envelope,
    use: 'identity',
    chainId: params.chain_id,
    ownChainId: chain.chainId,
    recipients: privacyKeys(),
  })
  const identityOwner = owner.toLowerCase() as Address
  const claim = { owner: identityOwner, signature, envelope }
  const signed = await isSignedByOwner(chain, claim).catch((error) => {
    throw asContractError(error)
  })
  if (!signed) throw notSignedByOwner(owner)

  const identityDomain = params.identity_domain.toLowerCase() as Bytes32
  const dataRefId = dataReferenceOf(envelope)
  const data = { identityOwner, identityDomain, chainId: chain.chainId, envelope }
  const now = await chain.now().catch((error) => {
    throw asContractError(error)
  })
  const deadline = now + registrationSeconds
  const upload = { dataRefId, keyId: caller.keyId, key: usedKeyOf(caller) }
  const kept = await store.keepIdentity(upload, data).catch((error) => {
    if (error instanceof StoredForAnotherUse) throw invalidFormat(error.message)
    throw error instanceof KeyChanged ? invalidApiKey() : error
  })
  if (kept.identityOwner !== identityOwner || kept.identityDomain !== identityDomain) {
    throw invalidFormat('envelope is already stored for another identity_owner or identity_domain')
  }

  const gatewaySignature = await signer.signTypedData({
    domain: identityDomainOf(chain.chainId, chain.identityRegistry()),
    ...identityRegistration,
    message: { identityOwner, identityDomain, dataRefId, deadline: BigInt(deadline) },
  })
  return { data_ref_id: dataRefId, gateway_signature: gatewaySignature, deadline }
}
