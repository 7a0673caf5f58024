import type { Abi, TransactionReceipt } from 'viem'
import { sendTransaction, waitForTransactionReceipt } from 'viem/actions'
import { AttestationRefusedError, ContractError } from '../errors/chainErrors.ts'
import type { Hex } from '../hex.ts'
import { encodePolicyCalls, type PolicyCall, type PolicySettings } from './policySetter.ts'
import { revertOf } from './revertOf.ts'
import type { SpendingWallet } from './spendAttestation.ts'

export type SetPolicyOptions = PolicySettings & {
  /** A wallet client of viem whose account may set the policy: the owner. */
  readonly walletClient: SpendingWallet
  readonly policyClient: Hex
  /** The calls that set policy and parameters; default `setPolicy(address,(bytes,uint32))`. */
  readonly calls?: PolicyCall | readonly PolicyCall[] | undefined
  /** Of the contract: a function that it does not have is an error before anything is sent. */
  readonly abi?: Abi | undefined
  /** Time for each transaction to be mined, milliseconds; default 180,000. */
  readonly timeoutMs?: number | undefined
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
  const { walletClient, policyClient, timeoutMs = 180_000 } = options
  const receipts: TransactionReceipt[] = []
  for (const { data, signature } of encodePolicyCalls(options.calls, options, options.abi)) {
    const metaMessages = [`Policy client: ${policyClient}`, `Function: ${signature}`]
    try {
      const hash = await sendTransaction(walletClient, {
        account: walletClient.account,
        to: policyClient,
        data,
        chain: walletClient.chain ?? null,
      })
      metaMessages.push(`Transaction: ${hash}`)
      const receipt = await waitForTransactionReceipt(walletClient, { hash, timeout: timeoutMs })
      if (receipt.status !== 'success')
        throw new ContractError({ metaMessages, details: 'the transaction was reverted' })
      receipts.push(receipt)
    } catch (error) {
      if (error instanceof ContractError) throw error
      const failure = revertOf(error, { metaMessages })
      // No attestation is involved.
      throw failure instanceof AttestationRefusedError
        ? new ContractError({
            ...{ errorName: failure.errorName, args: failure.args, metaMessages, cause: error },
            ...(failure.details === undefined ? {} : { details: failure.details }),
          })
        : failure
    }
  }
  return receipts
}
