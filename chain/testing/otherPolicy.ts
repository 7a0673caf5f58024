import type { Address } from 'viem'
import type { Transactor } from '../transactor.ts'
import { compileTestContracts } from './compileTestContracts.ts'

/** Deploys a policy whose ids are not computed as those of Policy. */
export async function deployOtherPolicy(transactor: Transactor): Promise<Address> {
  const compiled = await compileTestContracts('OtherPolicy.sol')
  return (await transactor.create(compiled('OtherPolicy').bytecode)).address
}
