import { encodeAbiParameters, type Hex, keccak256 } from 'viem'
import { intentHash, type Task } from './attestation.ts'

/** The id of a task by the formula of the reference (decision T3). */
export const taskIdOf = (of: {
  readonly chainId: number
  readonly policyClient: Hex
  readonly intent: Task['intent']
  readonly nonce: number
}): Hex =>
  keccak256(
    encodeAbiParameters(
      [{ type: 'uint256' }, { type: 'address' }, { type: 'bytes32' }, { type: 'uint32' }],
      [BigInt(of.chainId), of.policyClient, intentHash(of.intent), of.nonce],
    ),
  )
