import { setTimeout as pause } from 'node:timers/promises'
import type { Hash, PublicClient, TransactionReceipt } from 'viem'
import { receiptOf } from '../receiptOf.ts'

/** For tests: waits until a transaction is mined, on a chain that may have no further block. */
export async function minedReceipt(client: PublicClient, hash: Hash): Promise<TransactionReceipt> {
  for (;;) {
    const receipt = await receiptOf(client, hash)
    if (receipt !== undefined) return receipt
    await pause(10)
  }
}
