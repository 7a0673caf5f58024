import type { EncryptionKey } from '../envelopes/encryptionKey.ts'
import { keySize, open, seal } from '../envelopes/hpke.ts'
import { framed, scalars } from './group.ts'

/** Encrypts a share to a member's transport key, so that the relay cannot read it. */
export async function sealShare(
  share: Uint8Array,
  to: { readonly transportKey: string; readonly context: Uint8Array },
): Promise<string> {
  const { enc, ciphertext } = await seal({
    recipientPublicKey: Buffer.from(to.transportKey, 'hex'),
    plaintext: share,
    aad: to.context,
  })
  return Buffer.concat([enc, ciphertext]).toString('hex')
}

/** Decrypts a share; undefined if it is absent or invalid for this dealer and session. */
export async function openShare(
  sealed: string | undefined,
  by: { readonly key: EncryptionKey; readonly context: Uint8Array },
): Promise<bigint | undefined> {
  const bytes = Buffer.from(sealed ?? '', 'hex')
  try {
    const share = await open({
      recipient: by.key,
      enc: bytes.subarray(0, keySize),
      ciphertext: bytes.subarray(keySize),
      aad: by.context,
    })
    return scalars.fromBytes(share)
  } catch {
    return undefined
  }
}

/** Binds an encrypted share to its session, dealer and receiver. */
export const shareContext = (session: Uint8Array, dealer: number, receiver: number): Uint8Array =>
  framed('threshold share 1', session, Uint8Array.of(dealer), Uint8Array.of(receiver))
