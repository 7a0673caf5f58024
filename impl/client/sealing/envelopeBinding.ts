import { keccak_256 } from '@noble/hashes/sha3.js'
import { InvalidOptionsError } from '../errors/accessErrors.ts'
import type { Hex } from '../hex.ts'
import { bytesOf } from './bytes.ts'

/** `simulation` is for `secrets` of `simulatePolicyData`. */
export type EnvelopeUse = 'secrets' | 'simulation' | 'identity' | 'confidential' | 'ephemeral'

/** What an envelope of the bound form is sealed for, besides client and chain (decision K18). */
export type EnvelopeBinding =
  | { readonly use: 'secrets' | 'simulation'; readonly policyData: Hex }
  | { readonly use: 'identity' | 'confidential' | 'ephemeral' }

/**
 * The binding where the gateway announces that it opens such envelopes, in the answer with its public key. Other gateways
 * know the general form only, and get that.
 */
export const boundWhere = (
  key: { readonly envelope_forms?: readonly string[] | undefined },
  binding: EnvelopeBinding | undefined,
): EnvelopeBinding | undefined =>
  Array.isArray(key.envelope_forms) && key.envelope_forms.includes('bound') ? binding : undefined

/** `info` and associated data of HPKE: of the general form (decision K2), or with a binding (decision K18). */
export function hpkeContext(
  { policyClient, chainId }: { readonly policyClient: Hex; readonly chainId: number },
  binding: EnvelopeBinding | undefined,
): { readonly info: Uint8Array<ArrayBuffer>; readonly aad: Uint8Array<ArrayBuffer> } {
  const bytes = new Uint8Array(binding === undefined ? 28 : 48)
  bytes.set(bytesOf(policyClient.slice(2)))
  new DataView(bytes.buffer).setBigUint64(20, BigInt(chainId))
  if (binding !== undefined && 'policyData' in binding) {
    if (!/^0x[0-9a-fA-F]{40}$/.test(binding.policyData))
      throw new InvalidOptionsError('policyData is not an address.', 'Pass 0x and 40 hex digits.')
    bytes.set(bytesOf(binding.policyData.slice(2)), 28)
  }
  const text = binding === undefined ? '' : `sealed envelope 2 ${binding.use}`
  return {
    info: Uint8Array.from(new TextEncoder().encode(text)),
    aad: Uint8Array.from(keccak_256(bytes)),
  }
}
