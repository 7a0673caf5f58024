import { encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from 'viem'
import { intentHash, type Task } from './attestation.ts'

/** The task id formula of the reference implementation (decision T3). */
export const taskIdOf = (of: {
  readonly chainId: number
  readonly policyClient: Hex
  readonly intent: Task['intent']
  readonly nonce: number
  readonly taskCreatedBlock: number
}): Hex =>
  keccak256(
    encodeAbiParameters(parseAbiParameters('uint256, address, bytes32, uint32, uint32'), [
      BigInt(of.chainId),
      of.policyClient,
      intentHash(of.intent),
      of.nonce,
      of.taskCreatedBlock,
    ]),
  )
