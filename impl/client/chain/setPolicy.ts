import type { Abi, TransactionReceipt } from 'viem'
import type { Hex } from '../hex.ts'
import { encodePolicyCalls, type PolicyCall, type PolicySettings } from './policySetter.ts'
import { type SendingOptions, sendData } from './sendCall.ts'

/** The account of `walletClient` may set the policy: the owner. */
export type SetPolicyOptions = PolicySettings &
  SendingOptions & {
    readonly policyClient: Hex
    /** The calls that set policy and parameters; default `setPolicy(address,(bytes,uint32))`. */
    readonly calls?: PolicyCall | readonly PolicyCall[] | undefined
    /** Of the contract: a function that it does not have is an error before anything is sent. */
    readonly abi?: Abi | undefined
  }

/**
 * Gives a policy client its policy and parameters, a transaction for each call. Contracts of others have other
 * functions for that than `setPolicy`: name them in `calls`. If a transaction fails, those before it are
 * mined: call it again.
 *
 * @throws InvalidOptionsError before anything is sent; ContractError, with the custom error where a call
 * reverts
 */
export async function setPolicy(options: SetPolicyOptions): Promise<readonly TransactionReceipt[]> {
  const { policyClient } = options
  const receipts: TransactionReceipt[] = []
  for (const { data, signature } of encodePolicyCalls(options.calls, options, options.abi)) {
    const lines = [`Policy client: ${policyClient}`, `Function: ${signature}`]
    receipts.push(await sendData(options, { to: policyClient, data }, lines))
  }
  return receipts
}
