import { setTimeout as wait } from 'node:timers/promises'
import { type Hex, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { TooLate } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'

const withinMs = 30_000
const everyMs = 25

/**
 * The receipt of a transaction, polled until it exists. A node that mines on arrival may announce
 * the block before it has the receipt, and no other block may follow: so blocks are not awaited. On
 * timeout nothing is known about the target: `TooLate`.
 */
export async function minedReceipt(t: CheckContext, hash: Hex): Promise<TransactionReceipt> {
  for (const until = Date.now() + t.patienceMs(withinMs); ; await wait(everyMs)) {
    try {
      return await t.chain().getTransactionReceipt({ hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error
      if (Date.now() > until) throw new TooLate('the chain did not mine a transaction in time')
    }
  }
}
