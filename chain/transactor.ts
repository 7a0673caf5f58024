import {
  type Abi,
  type Address,
  BaseError,
  type ContractFunctionArgs,
  type ContractFunctionName,
  encodeFunctionData,
  getContractAddress,
  type Hash,
  type Hex,
  type LocalAccount,
  type PublicClient,
  type TransactionReceipt,
} from 'viem'
import { createChainClient } from './client.ts'
import { decodeRevert, describeError } from './customErrors.ts'
import { ChainWriteError } from './errors.ts'

export interface TransactorSettings {
  readonly rpcUrl: string
  readonly account: LocalAccount
  /** Milliseconds to wait until a transaction is mined, default 60,000. */
  readonly timeout?: number
}

/** Names a function of an ABI and its arguments. */
export interface ContractCall<
  A extends Abi,
  N extends ContractFunctionName<A, 'nonpayable' | 'payable'>,
> {
  readonly address: Address
  readonly abi: A
  readonly functionName: N
  readonly args: ContractFunctionArgs<A, 'nonpayable' | 'payable', N>
  /** Wei. */
  readonly value?: bigint
  /**
   * At most this much gas. The call is then tried once instead of being estimated, which a node
   * does by running it a dozen times: dear where a signature is verified.
   */
  readonly gas?: bigint
}

/** Sends transactions of one account; calls may overlap. */
export interface Transactor {
  readonly client: PublicClient
  readonly account: LocalAccount
  readonly chainId: number
  /** @throws ChainWriteError with the contract's custom error, also before anything is sent. */
  write<A extends Abi, N extends ContractFunctionName<A, 'nonpayable' | 'payable'>>(
    call: ContractCall<A, N>,
  ): Promise<TransactionReceipt>
  /** Sends wei. @throws ChainWriteError */
  transfer(to: Address, value: bigint): Promise<TransactionReceipt>
  /** @throws ChainWriteError */
  create(initCode: Hex): Promise<{ address: Address; receipt: TransactionReceipt }>
}

interface Transaction {
  readonly to: Address | null
  readonly data: Hex
  readonly value: bigint
  readonly label: string
  readonly gas?: bigint | undefined
}

/**
 * Nonces are given out here, so that many transactions of one account can be under way at once.
 * When a transaction cannot be sent, they are read again from the chain.
 */
export async function createTransactor(settings: TransactorSettings): Promise<Transactor> {
  const { account, timeout = 60_000 } = settings
  const client = createChainClient({ rpcUrl: settings.rpcUrl })
  const chainId = await client.getChainId().catch((cause) => {
    throw new ChainWriteError('the chain does not answer', undefined, { hint: CHECK_RPC, cause })
  })
  let lastSend: Promise<unknown> = Promise.resolve()
  let nextNonce: number | undefined

  /** One at a time: sign with the next nonce and send. */
  function dispatch(transaction: Transaction, gas: bigint, fees: Fees) {
    // Another process may have sent from this account meanwhile: the second try reads the nonce anew.
    const sent = lastSend.then(() =>
      trySend(transaction, gas, fees).catch((error) => {
        if (isNonceError(error)) return trySend(transaction, gas, fees)
        throw error
      }),
    )
    lastSend = sent.catch(() => undefined)
    return sent
  }

  async function trySend(transaction: Transaction, gas: bigint, fees: Fees) {
    try {
      const nonce =
        nextNonce ??
        (await client.getTransactionCount({ address: account.address, blockTag: 'pending' }))
      const { to, data, value } = transaction
      const signed = await account.signTransaction({
        type: 'eip1559',
        chainId,
        nonce,
        to,
        data,
        value,
        gas,
        ...fees,
      })
      const hash = await client.sendRawTransaction({ serializedTransaction: signed })
      nextNonce = nonce + 1
      return { hash, nonce }
    } catch (error) {
      nextNonce = undefined
      throw error
    }
  }

  /** Refuses, as an estimate does, what would revert. */
  async function gasOf({ to, data, value, gas }: Transaction): Promise<bigint> {
    if (gas !== undefined) {
      await client.call({ account, to, data, value, gas })
      return gas
    }
    const estimate = await client.estimateGas({ account, ...(to && { to }), data, value })
    // Transactions that are mined before this one may make it dearer than it looks now.
    return (estimate * 13n) / 10n + 60_000n
  }

  async function send(transaction: Transaction) {
    const { to, data, value, label } = transaction
    try {
      const [gas, fees] = await Promise.all([gasOf(transaction), client.estimateFeesPerGas()])
      const { hash, nonce } = await dispatch(transaction, gas, fees)
      const receipt = await waitForReceipt(client, hash, timeout)
      if (receipt.status === 'reverted') {
        await client.call({ account, to, data, value, blockNumber: receipt.blockNumber })
        throw new Error('it reverted when it was mined')
      }
      return { receipt, nonce }
    } catch (error) {
      throw writeError(label, error)
    }
  }

  return {
    client,
    account,
    chainId,
    async write(call) {
      const { address: to, abi, functionName, args, value = 0n, gas } = call
      const data = encodeFunctionData({ abi, functionName, args } as never)
      const { receipt } = await send({ to, data, value, label: functionName, gas })
      return receipt
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

interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

const CHECK_RPC = 'Check that the RPC address is right and the node is running.'

/** Whether the node refused the nonce because another transaction has it. */
export const isNonceError = (error: unknown): boolean =>
  error instanceof BaseError &&
  /nonce too low|replacement transaction underpriced/i.test(error.details)

/** Asks at once, then ever more rarely: a local chain has mined before the first question. */
async function waitForReceipt(client: PublicClient, hash: Hash, timeout: number) {
  const deadline = Date.now() + timeout
  for (let pause = 5; ; pause = Math.min(pause * 2, 1_000)) {
    const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      const missing = error instanceof BaseError && error.name === 'TransactionReceiptNotFoundError'
      if (!missing) throw error
    })
    if (receipt !== undefined) return receipt
    if (Date.now() > deadline) throw new Error(`it was not mined within ${timeout} ms`)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

function writeError(label: string, error: unknown): ChainWriteError {
  const decoded = decodeRevert(error)
  if (decoded !== undefined) {
    return new ChainWriteError(`${label}: ${describeError(decoded)}`, decoded.errorName, {
      hint: 'The contract refused the call; its custom error says why.',
      cause: error,
    })
  }
  const text = error instanceof BaseError ? error.shortMessage : String(error)
  return new ChainWriteError(`${label}: ${text}`, undefined, { hint: CHECK_RPC, cause: error })
}
