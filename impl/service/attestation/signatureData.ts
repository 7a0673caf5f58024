import { decodeAbiParameters, encodeAbiParameters, type Hex } from 'viem'
import type { NonSignerStakesAndSignature } from './types.ts'

const g1 = [
  { name: 'X', type: 'uint256' },
  { name: 'Y', type: 'uint256' },
] as const
const g2 = [
  { name: 'X', type: 'uint256[2]' },
  { name: 'Y', type: 'uint256[2]' },
] as const

const parameters = [
  {
    type: 'tuple',
    components: [
      { name: 'nonSignerQuorumBitmapIndices', type: 'uint32[]' },
      { name: 'nonSignerPubkeys', type: 'tuple[]', components: g1 },
      { name: 'quorumApks', type: 'tuple[]', components: g1 },
      { name: 'apkG2', type: 'tuple', components: g2 },
      { name: 'sigma', type: 'tuple', components: g1 },
      { name: 'quorumApkIndices', type: 'uint32[]' },
      { name: 'totalStakeIndices', type: 'uint32[]' },
      { name: 'nonSignerStakeIndices', type: 'uint32[][]' },
    ],
  },
] as const

/** `signature_data`: abi.encode(NonSignerStakesAndSignature) (decision C6). */
export function encodeSignatureData(evidence: NonSignerStakesAndSignature): Hex {
  return encodeAbiParameters(parameters, [evidence])
}

/** The inverse of `encodeSignatureData`. @throws viem's error for bytes of another structure. */
export function decodeSignatureData(signatureData: Hex): NonSignerStakesAndSignature {
  return decodeAbiParameters(parameters, signatureData)[0]
}
