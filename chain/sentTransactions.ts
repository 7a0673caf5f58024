import type { Address, Hash, Hex, PublicClient } from 'viem'
import { receiptOf } from './receiptOf.ts'

/** A signed transaction that a node has accepted. */
export type SentTransaction = {
  readonly hash: Hash
  readonly nonce: number
  /** To send it again unchanged. */
  readonly serialized: Hex
  readonly maxFeePerGas: bigint
}

/** The nonces of an account that are in use, as known to this process. */
export type SentTransactions = {
  /** Nonce of the next transaction: that of the node, unless the node is known to lag behind. */
  nextNonce(): Promise<number>
  sent(transaction: SentTransaction): void
  mined(transaction: SentTransaction): void
  /** Marks a transaction that no caller waits for. */
  left(transaction: SentTransaction): void
  /** Whether a caller waits for a transaction with this nonce. */
  waitsFor(nonce: number): boolean
}

/**
 * Reads the node's count before every transaction, so that a reverted chain, a dropped transaction
 * or another sender cannot leave a gap. A count below the last mined nonce is verified: the receipt
 * still exists if the node only lags behind, and is gone if the chain was reverted.
 */
export function sentTransactions(client: PublicClient, address: Address): SentTransactions {
  const waiting = new Map<number, SentTransaction>()
  let lastMined: SentTransaction | undefined

  const isOnChain = async ({ hash }: SentTransaction) =>
    (await receiptOf(client, hash)) !== undefined

  return {
    async nextNonce() {
      const told = await client.getTransactionCount({ address, blockTag: 'pending' })
      if (lastMined !== undefined && told <= lastMined.nonce && !(await isOnChain(lastMined))) {
        lastMined = undefined
        waiting.clear()
      }
      return Math.max(told, (lastMined?.nonce ?? -1) + 1, ...[...waiting.keys()].map((n) => n + 1))
    },
    sent: (transaction) => void waiting.set(transaction.nonce, transaction),
    mined(transaction) {
      this.left(transaction)
      if (lastMined === undefined || lastMined.nonce < transaction.nonce) lastMined = transaction
    },
    left(transaction) {
      if (waiting.get(transaction.nonce)?.hash === transaction.hash)
        waiting.delete(transaction.nonce)
    },
    waitsFor: (nonce) => waiting.has(nonce),
  }
}
