import { setTimeout as wait } from 'node:timers/promises'
import {
  type Hex,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import { Untestable } from '../../core/conformanceError.ts'

const withinMs = 30_000
const everyMs = 25

/**
 * The receipt of a transaction that was sent, asked for until there is one. A node that mines what it
 * is sent may tell of the block before it has the receipt, and no other block need ever follow: so
 * blocks are not waited for. Where none comes in time nothing is known of the target: `Untestable`.
 */
export const minedReceipt = async (
  client: PublicClient,
  hash: Hex,
): Promise<TransactionReceipt> => {
  for (const until = Date.now() + withinMs; ; await wait(everyMs)) {
    try {
      return await client.getTransactionReceipt({ hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error
      if (Date.now() > until) throw new Untestable('the chain did not mine a transaction in time')
    }
  }
}
