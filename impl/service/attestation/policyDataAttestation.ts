import { keccak256 } from 'polgate-chain/keccak256.ts'
import {
  type Address,
  encodeAbiParameters,
  encodePacked,
  type Hex,
  type LocalAccount,
  parseAbiParameters,
  stringToHex,
} from 'viem'
import { recoverSigner } from '../ecdsa/recoverSigner.ts'
import type { PolicyDataEntry } from './types.ts'

/** The data that an attester signs: the output of an oracle, and the identity of the oracle. */
export type AttestedData = Pick<
  PolicyDataEntry,
  'wasmArgs' | 'data' | 'policyDataAddress' | 'expireBlock'
> & {
  readonly chainId: number
  readonly wasmCid: string
  readonly secretsSchemaCid: string
  /** Which form the PolicyData verifies: what its `digestVersion()` answers, or 1. */
  readonly digestVersion: number
}

/**
 * The digest of decision C8; signed raw, without a prefix.
 *
 * @throws RangeError for a form that this service does not know: `requireKnownDigest` comes before
 */
export function policyDataHash(attested: AttestedData): Hex {
  if (attested.digestVersion === 2) return structHash(attested)
  if (attested.digestVersion === 1) return packedHash(attested)
  throw new RangeError(`unknown digest version ${attested.digestVersion}`)
}

const structType = keccak256(
  stringToHex(
    'PolicyDataAttestation(uint256 chainId,address policyData,uint32 expireBlock,bytes wasmArgs,bytes data,string wasmCid,string secretsSchemaCid)',
  ),
)
const structMembers = parseAbiParameters(
  'bytes32, uint256, address, uint32, bytes32, bytes32, bytes32, bytes32',
)

/** One word for each member: no bytes can move from one to another, or to another chain. */
function structHash(attested: AttestedData): Hex {
  const { chainId, policyDataAddress, expireBlock, wasmArgs, data } = attested
  return keccak256(
    encodeAbiParameters(structMembers, [
      structType,
      BigInt(chainId),
      policyDataAddress,
      expireBlock,
      keccak256(wasmArgs),
      keccak256(data),
      keccak256(stringToHex(attested.wasmCid)),
      keccak256(stringToHex(attested.secretsSchemaCid)),
    ]),
  )
}

/**
 * What contracts without `digestVersion()` verify. It covers neither lengths nor chain, so an attestation
 * is valid for every division of the same bytes.
 */
function packedHash(attested: AttestedData): Hex {
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
