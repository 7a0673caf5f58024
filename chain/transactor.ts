import { createKeyedSemaphore } from 'polgate-lib/async/keyedSemaphore.ts'
import { createSerialQueue } from 'polgate-lib/async/serialQueue.ts'
import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  type LocalAccount,
  type PublicClient,
  parseSignature,
  serializeTransaction,
  type TransactionReceipt,
  type TransactionSerializableEIP1559,
} from 'viem'
import { type AroundRequest, createChainClient } from './client.ts'
import { keccak256 } from './keccak256.ts'
import { receiptOf } from './receiptOf.ts'
import { type SentTransaction, sentTransactions } from './sentTransactions.ts'
import { isKnown, untilMined } from './untilMined.ts'
import { isAlreadyKnown, writeErrorOf, writeFailure, writeFailureOf } from './writeFailure.ts'

export type TransactorSettings = {
  readonly rpcUrl: string
  readonly account: LocalAccount
  /** Milliseconds to wait until a transaction is mined, default 60,000. */
  readonly timeout?: number
  /** Called with every receipt. */
  readonly onMined?: ((receipt: TransactionReceipt) => void) | undefined
  /** See `ChainClientSettings`. */
  readonly around?: AroundRequest | undefined
}

/** A function of an ABI and its arguments. */
export type ContractCall<
  A extends Abi,
  N extends ContractFunctionName<A, 'nonpayable' | 'payable'>,
> = {
  readonly address: Address
  readonly abi: A
  readonly functionName: N
  readonly args: ContractFunctionArgs<A, 'nonpayable' | 'payable', N>
  /** Wei. */
  readonly value?: bigint
  /**
   * Gas limit. The call is then simulated once instead of being estimated, for which a node runs it
   * about a dozen times: expensive where a signature is verified.
   */
  readonly gas?: bigint
  /** The caller has simulated it: it is sent without another simulation. Needs `gas`. */
  readonly isSimulated?: boolean
}

/** Sends transactions of one account; calls may overlap. */
export type Transactor = {
  readonly client: PublicClient
  readonly account: LocalAccount
  readonly chainId: number
  /** @throws ChainWriteError with the contract's custom error, also before a transaction is sent */
  write<A extends Abi, N extends ContractFunctionName<A, 'nonpayable' | 'payable'>>(
    call: ContractCall<A, N>,
  ): Promise<TransactionReceipt>
  /** The result that a call would have now, without sending it. @throws ChainWriteError */
  simulate<A extends Abi, N extends ContractFunctionName<A, 'nonpayable' | 'payable'>>(
    call: ContractCall<A, N>,
  ): Promise<ContractFunctionReturnType<A, 'nonpayable' | 'payable', N>>
  /** Sends wei. @throws ChainWriteError */
  transfer(to: Address, value: bigint): Promise<TransactionReceipt>
  /** @throws ChainWriteError */
  create(initCode: Hex): Promise<{ address: Address; receipt: TransactionReceipt }>
}

type Transaction = {
  readonly to: Address | null
  readonly data: Hex
  readonly value: bigint
  readonly label: string
  readonly gas?: bigint | undefined
  readonly isSimulated?: boolean | undefined
}

const dataOf = ({ abi, functionName, args }: { abi: Abi; functionName: string; args: unknown }) =>
  encodeFunctionData({ abi, functionName, args } as never)

/** What `account.signTransaction` returns, with a faster hash of its bytes. */
async function signed(
  account: LocalAccount,
  unsigned: TransactionSerializableEIP1559,
): Promise<Hex> {
  if (account.sign === undefined) return await account.signTransaction(unsigned)
  const hash = keccak256(serializeTransaction(unsigned))
  return serializeTransaction(unsigned, parseSignature(await account.sign({ hash })))
}

/** Attempts of one transaction whose nonce is taken concurrently. */
const maxNonceTries = 3
/** Percentage of the previous fee: nodes require 10 % more to replace a transaction. */
const replacementPercent = 125n
/** Transactions simulated at a time; any number may wait to be mined. */
const maxSimulated = 4
/** Transactions that timed out, and may still be mined. */
const maxLeft = 1_000

/**
 * Nonces are assigned here, so that many transactions of one account can be in flight; see
 * `sentTransactions`. A call repeated after a timeout continues with its earlier transaction if the
 * node still has it, with a higher fee if that was too low.
 */
export async function createTransactor(settings: TransactorSettings): Promise<Transactor> {
  const { account, timeout = 60_000, onMined } = settings
  const { address } = account
  const client = createChainClient({ rpcUrl: settings.rpcUrl, around: settings.around })
  const chainId = await client.getChainId().catch((cause) => {
    const failure = writeFailureOf(cause)
    throw writeFailure(failure, 'the chain does not respond', cause)
  })
  const transactions = sentTransactions(client, address)
  const left = new Map<Hex, SentTransaction>()
  const sends = createSerialQueue()
  const simulations = createKeyedSemaphore({ total: maxSimulated })

  /** Sequential: sign with the next nonce and send. */
  function dispatch(transaction: Transaction, gas: bigint, fees: Fees): Promise<SentTransaction> {
    return sends.run(async () => {
      for (let tries = 1; ; tries += 1) {
        try {
          const nonce = await transactions.nextNonce()
          return await sendSigned(transaction, { nonce, gas, fees })
        } catch (error) {
          // Another process may have sent from this account: read the nonce again.
          const taken = writeFailureOf(error) === 'nonce' || isReplacement(error)
          if (!taken || tries === maxNonceTries) throw error
        }
      }
    })
  }

  async function sendSigned(
    { to, data, value }: Transaction,
    { nonce, gas, fees }: { readonly nonce: number; readonly gas: bigint; readonly fees: Fees },
  ): Promise<SentTransaction> {
    const unsigned = { type: 'eip1559', chainId, nonce, to, data, value, gas, ...fees } as const
    const serialized = await signed(account, unsigned)
    const { maxFeePerGas } = fees
    const sent = { hash: keccak256(serialized), nonce, serialized, maxFeePerGas }
    try {
      await client.sendRawTransaction({ serializedTransaction: serialized })
    } catch (error) {
      if (writeFailureOf(error) === 'insufficient-funds')
        throw await insufficientFunds(value + gas * maxFeePerGas, error)
      // The transaction may have arrived although its response was lost; a repeated call continues
      // with it.
      if (writeFailureOf(error) === 'timeout') leave(transactionKey({ to, data, value }), sent)
      if (!isAlreadyKnown(error)) throw error
    }
    transactions.sent(sent)
    return sent
  }

  async function insufficientFunds(needed: bigint, cause: unknown) {
    const balance = await client.getBalance({ address })
    const text = `insufficient funds of account ${address}: the transaction needs up to ${needed} wei, the account has ${balance} wei`
    return writeFailure('insufficient-funds', text, cause)
  }

  /** Fails, like an estimate, if the transaction would revert. */
  async function gasOf(transaction: Transaction): Promise<bigint> {
    const { to, data, value, gas, isSimulated } = transaction
    if (gas !== undefined) {
      if (!isSimulated) await client.call({ account, to, data, value, gas })
      return gas
    }
    const estimate = await client.estimateGas({ account, ...(to && { to }), data, value })
    // Transactions mined before this one may increase its cost.
    return (estimate * 13n) / 10n + 60_000n
  }

  function leave(key: Hex, sent: SentTransaction): void {
    left.set(key, sent)
    const [oldest] = left.keys()
    if (left.size > maxLeft && oldest !== undefined) left.delete(oldest)
  }

  /** The earlier transaction of the same call that timed out, if it is or may still be mined. */
  async function resumed(transaction: Transaction): Promise<SentTransaction | undefined> {
    const key = transactionKey(transaction)
    const sent = left.get(key)
    if (sent === undefined) return undefined
    if ((await receiptOf(client, sent.hash)) === undefined) {
      if (!(await isKnown(client, sent))) {
        left.delete(key)
        return undefined
      }
      const { baseFeePerGas } = await client.getBlock()
      if (baseFeePerGas !== null && baseFeePerGas > sent.maxFeePerGas) {
        left.delete(key)
        return await replaced(transaction, sent)
      }
    }
    left.delete(key)
    transactions.sent(sent)
    return sent
  }

  async function replaced(transaction: Transaction, { nonce, maxFeePerGas }: SentTransaction) {
    const [gas, fees] = await Promise.all([gasOf(transaction), client.estimateFeesPerGas()])
    const least = (maxFeePerGas * replacementPercent) / 100n + 1n
    const raised = {
      maxFeePerGas: fees.maxFeePerGas > least ? fees.maxFeePerGas : least,
      maxPriorityFeePerGas: (fees.maxPriorityFeePerGas * replacementPercent) / 100n + 1n,
    }
    return await sendSigned(transaction, { nonce, gas, fees: raised })
  }

  async function begin(transaction: Transaction): Promise<SentTransaction> {
    const before = await resumed(transaction)
    if (before !== undefined) return before
    const release = await simulations.take('', new AbortController().signal)
    try {
      const [gas, fees] = await Promise.all([gasOf(transaction), client.estimateFeesPerGas()])
      return await dispatch(transaction, gas, fees)
    } finally {
      release()
    }
  }

  async function mined(transaction: Transaction, sent: SentTransaction) {
    try {
      const waiting = { client, address, sent, others: transactions, timeout }
      const receipt = await untilMined(waiting)
      transactions.mined(sent)
      onMined?.(receipt)
      return receipt
    } catch (error) {
      transactions.left(sent)
      if (mayBeMined.has(writeFailureOf(error))) leave(transactionKey(transaction), sent)
      throw error
    }
  }

  async function send(transaction: Transaction) {
    const { to, data, value, label } = transaction
    try {
      const sent = await begin(transaction)
      const receipt = await mined(transaction, sent)
      if (receipt.status === 'reverted') {
        await client.call({ account, to, data, value, blockNumber: receipt.blockNumber })
        throw writeFailure('reverted', 'it reverted on chain')
      }
      return { receipt, nonce: sent.nonce }
    } catch (error) {
      throw writeErrorOf(label, error)
    }
  }

  return {
    client,
    account,
    chainId,
    async write(call) {
      const { address: to, functionName: label, value = 0n, gas, isSimulated } = call
      const data = dataOf(call)
      const { receipt } = await send({ to, data, value, label, gas, isSimulated })
      return receipt
    },
    async simulate(call) {
      const { address: to, functionName, abi, value = 0n, gas } = call
      try {
        const { data = '0x' } = await client.call({ account, to, data: dataOf(call), value, gas })
        return decodeFunctionResult({ abi, functionName, data } as never) as never
      } catch (error) {
        throw writeErrorOf(functionName, error)
      }
    },
    async transfer(to, value) {
      const { receipt } = await send({ to, data: '0x', value, label: 'transfer' })
      return receipt
    },
    async create(initCode) {
      const { receipt, nonce } = await send({
        to: null,
        data: initCode,
        value: 0n,
        label: 'deployment',
      })
      const address = getContractAddress({ from: account.address, nonce: BigInt(nonce) })
      return { address, receipt }
    },
  }
}

type Fees = {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** Failures after which the transaction may still be mined. */
const mayBeMined: ReadonlySet<string> = new Set(['not-mined', 'timeout', 'unreachable', 'busy'])

const isReplacement = (error: unknown): boolean =>
  /replacement transaction underpriced/i.test((error as { details?: string }).details ?? '')

const transactionKey = ({ to, data, value }: Pick<Transaction, 'to' | 'data' | 'value'>): Hex =>
  keccak256(`${to ?? '0x'}${value.toString(16).padStart(64, '0')}${data.slice(2)}` as Hex)
