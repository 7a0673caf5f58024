import { AeadId, CipherSuite, KdfId, KemId } from 'hpke-js'
import { checkNumber } from '../client/connection.ts'
import { InvalidOptionsError } from '../errors/accessErrors.ts'
import { ClientError } from '../errors/clientError.ts'
import { SealingFailedError, toldBy } from '../errors/cryptoErrors.ts'
import type { Hex } from '../hex.ts'
import { bytesOf, hexOf } from './bytes.ts'
import { type EnvelopeBinding, hpkeContext } from './envelopeBinding.ts'
import { proveSealer, sealerKeyPair } from './sealerProof.ts'

export type SealEnvelopeOptions = {
  readonly plaintext: Uint8Array
  /** The policy client; for confidential data the provider (decision K4). */
  readonly policyClient: Hex
  readonly chainId: number
  /** 64 hex digits, with or without `0x`: of the secrets key or of the privacy key. */
  readonly recipientPublicKey: string
  /**
   * Adds what operators that share a key need to open it (decision K16): for identity, confidential
   * and ephemeral data, not for secrets. Default false.
   */
  readonly proven?: boolean | undefined
  /**
   * Seals in the bound form (decision K18), for gateways whose `envelope_forms` have `bound`. Default: the general form, which
   * every gateway opens.
   */
  readonly binding?: EnvelopeBinding | undefined
}

const suiteOf = () =>
  new CipherSuite({
    kem: KemId.DhkemX25519HkdfSha256,
    kdf: KdfId.HkdfSha256,
    aead: AeadId.Chacha20Poly1305,
  })

/**
 * Seals bytes for one client on one chain with HPKE (section 5.3, decisions K1 and K2), and returns
 * the envelope as the string to upload. An envelope does not open for another client or chain.
 *
 * @throws InvalidOptionsError and SealingFailedError, without what was to be sealed
 */
export async function sealEnvelope(options: SealEnvelopeOptions): Promise<string> {
  try {
    return await seal(options)
  } catch (cause) {
    if (cause instanceof ClientError) throw cause
    throw new SealingFailedError({ cause, details: toldBy(cause) })
  }
}

async function seal(options: SealEnvelopeOptions): Promise<string> {
  const { plaintext, policyClient, binding } = options
  const chainId = checkNumber('chainId', options.chainId, 0, Number.MAX_SAFE_INTEGER)
  const publicKey = String(options.recipientPublicKey).replace(/^0x/, '').toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(publicKey))
    throw new InvalidOptionsError(
      'The public key is not 32 bytes of hex.',
      'Pass public_key of getSecretsPublicKey or getPrivacyPublicKey.',
    )
  if (!/^0x[0-9a-fA-F]{40}$/.test(policyClient))
    throw new InvalidOptionsError('policyClient is not an address.', 'Pass 0x and 40 hex digits.')
  const { info, aad } = hpkeContext({ policyClient, chainId }, binding)
  const suite = suiteOf()
  const { kem } = suite
  const raw = (key: Uint8Array, isPublic: boolean) =>
    kem.importKey('raw', Uint8Array.from(key).buffer, isPublic)
  const recipient = bytesOf(publicKey)
  const own = options.proven === true ? sealerKeyPair() : undefined
  const { enc, ct } = await suite.seal(
    {
      recipientPublicKey: await raw(recipient, true),
      info: info.buffer,
      ...(own && {
        ekm: {
          privateKey: await raw(own.secret, false),
          publicKey: await raw(own.publicKey, true),
        },
      }),
    },
    new Uint8Array(plaintext).buffer,
    aad.buffer,
  )
  const ciphertext = new Uint8Array(ct)
  const proof =
    own &&
    proveSealer(own.secret, {
      ...{ enc: new Uint8Array(enc), ciphertext, chainId, recipient },
      policyClient: bytesOf(policyClient.slice(2)),
    })
  own?.secret.fill(0)
  return JSON.stringify({
    enc: hexOf(new Uint8Array(enc)),
    ciphertext: hexOf(ciphertext),
    policy_client: policyClient,
    chain_id: chainId,
    recipient_pubkey: publicKey,
    ...(binding && { bound_use: binding.use }),
    ...(proof && { proof }),
  })
}
