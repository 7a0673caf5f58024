import { compileTestContracts } from 'polgate-chain/testing/compileTestContracts.ts'
import type { Transactor } from 'polgate-chain/transactor.ts'
import { type Address, type Hex, numberToHex } from 'viem'

/**
 * How `verifyAttestation` behaves in transactions; in a simulation it accepts everything, except with
 * the last two.
 */
export const behaviours = {
  accepts: 0,
  burnsAllGas: 1,
  burnsMoreThanItsShare: 2,
  reverts: 3,
  revertsWithMuchData: 4,
  returnsFalse: 5,
  returnsMuchData: 6,
  burnsInEvenBlocks: 7,
  alwaysReverts: 8,
  alwaysBurns: 9,
} as const

export type Behaviour = keyof typeof behaviours

/** Deploys a PolicyData contract that misbehaves. */
export async function deployHostile(
  transactor: Transactor,
  behaviour: Behaviour,
): Promise<Address> {
  const argument = numberToHex(behaviours[behaviour], { size: 32 })
  const compiled = await compileTestContracts('HostilePolicyData.sol')
  const { bytecode } = compiled('HostilePolicyData')
  const { address } = await transactor.create(`${bytecode}${argument.slice(2)}` as Hex)
  return address
}
