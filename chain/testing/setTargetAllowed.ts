import type { Address, TransactionReceipt } from 'viem'
import { sampleClientAbi } from '../artifacts/abis.ts'
import type { Transactor } from '../transactor.ts'

/** Lets a client make calls to a target that it refuses otherwise, as its owner. */
export const setTargetAllowed = (
  transactor: Transactor,
  policyClient: Address,
  target: Address,
): Promise<TransactionReceipt> =>
  transactor.write({
    ...{ address: policyClient, abi: sampleClientAbi, functionName: 'setTargetAllowed' },
    args: [target, true],
  })
