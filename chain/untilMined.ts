import { type Address, BaseError, type PublicClient, type TransactionReceipt } from 'viem'
import { receiptOf } from './receiptOf.ts'
import type { SentTransaction, SentTransactions } from './sentTransactions.ts'
import { isAlreadyKnown, writeFailure } from './writeFailure.ts'

/** Delay after finding no receipt; a local chain mines faster. Milliseconds. */
const suspiciousPause = 160
/** Consecutive identical observations before they count, because nodes lag behind each other. */
const looks = 3
const maxResends = 3

export type MiningOptions = {
  readonly client: PublicClient
  readonly address: Address
  readonly sent: SentTransaction
  readonly others: Pick<SentTransactions, 'waitsFor'>
  /** Milliseconds. */
  readonly timeout: number
}

/**
 * Waits for a receipt, polling with increasing delays. A transaction that the node dropped is sent
 * again; one that can never be mined, because its nonce or a lower one belongs to another
 * transaction, ends the wait with the reason.
 *
 * @throws ChainWriteError, and the client's error if the node does not respond
 */
export async function untilMined(options: MiningOptions): Promise<TransactionReceipt> {
  const { client, address, sent, timeout } = options
  const begin = performance.now()
  let found: Standing | undefined
  let times = 0
  let resends = 0
  for (let pause = 5; ; pause = Math.min(pause * 2, 1_000)) {
    const receipt = await receiptOf(client, sent.hash)
    if (receipt !== undefined) return receipt
    if (pause >= suspiciousPause) {
      const { standing, pending } = await standingOf(options)
      times = standing === found ? times + 1 : 1
      found = standing
      if (standing === 'dropped' && (times >= 2 || resends > 0)) {
        resends += 1
        if (resends > maxResends)
          throw writeFailure(
            'dropped',
            `the node dropped it ${resends} times (nonce ${sent.nonce})`,
          )
        await resend(client, sent)
      }
      if (standing === 'gap' && times >= looks)
        throw writeFailure(
          'nonce',
          `nonce gap: it has nonce ${sent.nonce}, but the node expects ${pending} of ${address}, as after a revert of the chain`,
        )
      if (standing === 'overtaken' && times >= looks)
        throw writeFailure(
          'nonce',
          `another transaction of ${address} was mined with nonce ${sent.nonce}`,
        )
    }
    if (performance.now() - begin > timeout) throw await notMined(options)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/**
 * `waiting`: the node has it, or has not reported otherwise. `gap`: the node expects a lower nonce
 * that this process has not sent. `overtaken`: another transaction with its nonce was mined.
 */
type Standing = 'waiting' | 'dropped' | 'gap' | 'overtaken'

async function standingOf(
  options: MiningOptions,
): Promise<{ readonly standing: Standing; readonly pending: number }> {
  const { client, address, sent, others } = options
  const [known, latest, pending] = await Promise.all([
    isKnown(client, sent),
    client.getTransactionCount({ address, blockTag: 'latest' }),
    client.getTransactionCount({ address, blockTag: 'pending' }),
  ])
  const standing = (): Standing => {
    if (pending < sent.nonce) return others.waitsFor(pending) ? 'waiting' : 'gap'
    if (known) return 'waiting'
    if (latest > sent.nonce) return 'overtaken'
    return pending === sent.nonce ? 'dropped' : 'waiting'
  }
  return { standing: standing(), pending }
}

export const isKnown = (client: PublicClient, { hash }: SentTransaction): Promise<boolean> =>
  client.getTransaction({ hash }).then(
    () => true,
    (error) => {
      if (error instanceof BaseError && error.name === 'TransactionNotFoundError') return false
      throw error
    },
  )

/** The same bytes, which can be mined only once. */
async function resend(client: PublicClient, { serialized }: SentTransaction): Promise<void> {
  try {
    await client.sendRawTransaction({ serializedTransaction: serialized })
  } catch (error) {
    if (!isAlreadyKnown(error)) throw error
  }
}

async function notMined({ client, sent, timeout }: MiningOptions) {
  const { number, baseFeePerGas } = await client.getBlock()
  const why =
    baseFeePerGas !== null && baseFeePerGas > sent.maxFeePerGas
      ? `its fee of at most ${sent.maxFeePerGas} wei is below the base fee of ${baseFeePerGas} wei`
      : `it is pending, and the latest block is ${number}`
  return writeFailure('not-mined', `it was not mined within ${timeout} ms: ${why}`)
}
