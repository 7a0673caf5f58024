import type { Address, Hash, Hex, PublicClient } from 'viem'
import { receiptOf } from './receiptOf.ts'

/** A signed transaction that a node has taken. */
export type SentTransaction = {
  readonly hash: Hash
  readonly nonce: number
  /** To send it again as it is. */
  readonly serialized: Hex
  readonly maxFeePerGas: bigint
}

/** Which nonces of an account are in use, as far as this process knows. */
export type SentTransactions = {
  /** For the next transaction: what the node says, unless it is known to lag behind. */
  nextNonce(): Promise<number>
  sent(transaction: SentTransaction): void
  mined(transaction: SentTransaction): void
  /** Nobody waits for it any more. */
  left(transaction: SentTransaction): void
  /** Whether one of this nonce is waited for. */
  waitsFor(nonce: number): boolean
}

/**
 * The node's count is asked for before every transaction, so that a chain that went back, a dropped
 * transaction or another sender cannot leave a gap. A count below what was seen mined is checked: the
 * receipt is still there where the node only lags behind, and gone where the chain went back.
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
