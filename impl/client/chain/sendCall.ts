import { type Abi, encodeFunctionData, type TransactionReceipt } from 'viem'
import { sendTransaction } from 'viem/actions'
import { AttestationRefusedError, ContractError } from '../errors/chainErrors.ts'
import type { Hex } from '../hex.ts'
import { revertOf } from './revertOf.ts'
import type { SpendingWallet } from './spendAttestation.ts'
import { waitForReceipt } from './waitForReceipt.ts'

/** What every action that sends transactions takes. */
export type SendingOptions = {
  /** A wallet client of viem with the account that sends. */
  readonly walletClient: SpendingWallet
  /** Time for each transaction to be mined, milliseconds; default 180,000. */
  readonly timeoutMs?: number | undefined
}

/** A call of a contract, as viem takes it. */
export type ContractCall = {
  readonly address: Hex
  readonly abi: Abi | readonly unknown[]
  readonly functionName: string
  readonly args: readonly unknown[]
}

/** Sends a call of a contract and waits until it is mined. As `sendData`. */
export const sendCall = (
  options: SendingOptions,
  { address, abi, functionName, args }: ContractCall,
  metaMessages: readonly string[],
): Promise<TransactionReceipt> =>
  sendData(
    options,
    {
      to: address,
      data: encodeFunctionData({ abi: abi as Abi, functionName, args: args as unknown[] }),
    },
    [...metaMessages, `Function: ${functionName}`],
  )

/**
 * Sends a transaction and waits until it is mined.
 *
 * @param lines of an error, which also names the transaction once it is sent: it may still be mined
 * @throws ContractError, with the custom error where it reverts
 */
export async function sendData(
  { walletClient, timeoutMs = 180_000 }: SendingOptions,
  call: { readonly to: Hex; readonly data: Hex },
  lines: readonly string[],
): Promise<TransactionReceipt> {
  const metaMessages = [...lines]
  try {
    const { account, chain } = walletClient
    const hash = await sendTransaction(walletClient, { ...call, account, chain: chain ?? null })
    metaMessages.push(`Transaction: ${hash}`)
    const receipt = await waitForReceipt(walletClient, { hash, timeout: timeoutMs })
    if (receipt.status !== 'success')
      throw new ContractError({ metaMessages, details: 'the transaction was reverted' })
    return receipt
  } catch (error) {
    if (error instanceof ContractError) throw error
    const failure = revertOf(error, { metaMessages })
    // No attestation is involved.
    if (!(failure instanceof AttestationRefusedError)) throw failure
    const { errorName, args, details } = failure
    throw new ContractError({
      ...{ errorName, args, metaMessages, cause: error },
      ...(details === undefined ? {} : { details }),
    })
  }
}
