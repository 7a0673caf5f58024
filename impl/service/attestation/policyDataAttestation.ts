import { keccak256 } from 'polgate-chain/keccak256.ts'
import { type Address, encodePacked, type Hex, type LocalAccount } from 'viem'
import { recoverSigner } from '../ecdsa/recoverSigner.ts'
import type { PolicyDataEntry } from './types.ts'

/** The data that an attester signs: the output of an oracle, and the identity of the oracle. */
export type AttestedData = Pick<
  PolicyDataEntry,
  'wasmArgs' | 'data' | 'policyDataAddress' | 'expireBlock'
> & { readonly wasmCid: string; readonly secretsSchemaCid: string }

/** keccak256(abi.encodePacked(...)) of decision C8; signed raw, without a prefix. */
export function policyDataHash(attested: AttestedData): Hex {
  const { wasmArgs, data, policyDataAddress, expireBlock, wasmCid, secretsSchemaCid } = attested
  return keccak256(
    encodePacked(
      ['bytes', 'bytes', 'address', 'uint32', 'string', 'string'],
      [wasmArgs, data, policyDataAddress, expireBlock, wasmCid, secretsSchemaCid],
    ),
  )
}

/** A 65-byte attestation by `attester`, whose account must be able to sign raw hashes. */
export async function attestPolicyData(
  attested: AttestedData,
  attester: Required<Pick<LocalAccount, 'sign'>> | LocalAccount,
): Promise<Hex> {
  if (attester.sign === undefined) throw new TypeError('the account cannot sign raw hashes')
  return attester.sign({ hash: policyDataHash(attested) })
}

/**
 * Whether the PolicyData contract accepts this attestation: by a listed attester, or empty if none
 * are listed.
 */
export async function isAttested(
  attested: AttestedData,
  attestation: Hex,
  attesters: readonly Address[],
): Promise<boolean> {
  if (attesters.length === 0) return attestation === '0x'
  const signer = await recoverSigner(policyDataHash(attested), attestation)
  return attesters.some((attester) => attester.toLowerCase() === signer)
}
