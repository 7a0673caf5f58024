import { BaseError, type Hash, type PublicClient, type TransactionReceipt } from 'viem'

/** The receipt of a mined transaction; undefined if there is none. */
export const receiptOf = (
  client: PublicClient,
  hash: Hash,
): Promise<TransactionReceipt | undefined> =>
  client.getTransactionReceipt({ hash }).catch((error: unknown) => {
    if (error instanceof BaseError && error.name === 'TransactionReceiptNotFoundError')
      return undefined
    throw error
  })
