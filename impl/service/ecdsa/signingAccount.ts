import type { Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type TypedMessage, typedDataDigest } from './typedDataDigest.ts'

/**
 * The account of a private key, which signs digests and typed data in half of the time of
 * `privateKeyToAccount`. The signatures are the same: the nonce is that of RFC 6979, and `s` the lower
 * one. The library is libsecp256k1 in WebAssembly, which takes the same time for every key.
 */
export function signingAccount(privateKey: Hex): PrivateKeyAccount {
  const key = Buffer.from(privateKey.slice(2), 'hex')
  const sign = async ({ hash }: { readonly hash: Hex }): Promise<Hex> => {
    const { signRecoverable } = await import('tiny-secp256k1')
    const { signature, recoveryId } = signRecoverable(Buffer.from(hash.slice(2), 'hex'), key)
    return `0x${Buffer.from(signature).toString('hex')}${recoveryId === 0 ? '1b' : '1c'}`
  }
  return {
    ...privateKeyToAccount(privateKey),
    sign,
    signTypedData: (typed) => sign({ hash: typedDataDigest(typed as TypedMessage) }),
  }
}
