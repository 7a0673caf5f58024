import {
  type Account,
  type Chain,
  type Client,
  parseEventLogs,
  type ReplacementReason,
  type TransactionReceipt,
  type Transport,
} from 'viem'
import {
  estimateContractGas,
  getBlockNumber,
  getChainId,
  getCode,
  writeContract,
} from 'viem/actions'
import {
  AttestationExpiredError,
  AttestationRefusedError,
  NotSpendableError,
} from '../errors/chainErrors.ts'
import { PolicyDeniedError } from '../errors/taskErrors.ts'
import { policyClientAbi } from '../generated/contractAbis.ts'
import type { Hex } from '../hex.ts'
import { taskDecision } from '../tasks/taskDecision.ts'
import type { TaskSuccess } from '../tasks/taskOutcome.ts'
import { attestationArguments } from './attestationArguments.ts'
import { revertOf } from './revertOf.ts'
import { unexplainedRevert } from './unexplainedRevert.ts'
import { waitForReceipt } from './waitForReceipt.ts'

export type SpendingWallet = Client<Transport, Chain | undefined, Account>

export type SpendAttestationOptions = {
  /** A wallet client of viem whose account is the sender of the intent. */
  readonly walletClient: SpendingWallet
  /** Of `createTask`, `runTask` or `waitForTask`. */
  readonly result: TaskSuccess
  /**
   * The function of the policy client that takes `(task, response, signatureData)`; default
   * `executeIntent`.
   */
  readonly functionName?: string | undefined
  /** Default: what the node estimates and a quarter more, because the signature check varies. */
  readonly gas?: bigint | undefined
  /** Spends the attestation of a denial, too, which only uses it up; default false. */
  readonly spendDenied?: boolean | undefined
  /** Time for the transaction to be mined, milliseconds; default 180,000. */
  readonly timeoutMs?: number | undefined
}

export type SpentAttestation = {
  /** Of the transaction that was mined: another than was sent, if the wallet has repriced it. */
  readonly hash: Hex
  readonly receipt: TransactionReceipt
  /**
   * Whether the contract executed the intent; undefined if it emits no `IntentExecuted`, as contracts with an
   * execution of their own: the logs of the receipt show what it did.
   */
  readonly executed: boolean | undefined
  /** What the target of the intent returned; `0x` if that is not known. */
  readonly returned: Hex
}

const isSameHex = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

async function checkBefore({ walletClient, result, spendDenied }: SpendAttestationOptions) {
  const { account } = walletClient
  const { intent } = result.task
  const metaMessages = [`Task: ${result.task_id}`]
  if (!spendDenied && !taskDecision(result).allow)
    throw new PolicyDeniedError({ taskId: result.task_id, result })
  if (account?.address.toLowerCase() !== intent.from.toLowerCase())
    throw new NotSpendableError(
      'The account of the wallet is not the sender of the intent.',
      `Use the wallet of ${intent.from}.`,
      { metaMessages },
    )
  const { policyClient } = result.task
  const [chainId, block, code] = await Promise.all([
    getChainId(walletClient),
    getBlockNumber(walletClient, { cacheTime: 0 }),
    getCode(walletClient, { address: policyClient }),
  ]).catch((error: unknown) => {
    throw revertOf(error, { metaMessages })
  })
  if (BigInt(chainId) !== BigInt(intent.chainId))
    throw new NotSpendableError(
      'The wallet is on another chain than the intent.',
      `Switch it from chain ${chainId} to chain ${BigInt(intent.chainId)}.`,
      { metaMessages },
    )
  // A transaction to an account without code succeeds, and does nothing.
  if (code === undefined)
    throw new NotSpendableError(
      `There is no contract at the policy client ${policyClient}.`,
      'Check the chain of the wallet: the client may be deployed on another one.',
      { metaMessages },
    )
  // A transaction is in the next block at the earliest.
  const next = block + 1n
  const expiration = BigInt(result.expiration)
  if (next >= expiration)
    throw new AttestationExpiredError({ expiration, block: next, metaMessages })
}

/**
 * Spends the attestation of a task: a transaction to the policy client, which verifies it and
 * executes the intent (decision C7). Checks decision, sender, chain and expiry before, and estimates
 * the gas, so that what would be refused costs nothing.
 *
 * @throws AttestationExpiredError, AttestationSpentError, AttestationRefusedError with the custom
 * error, PolicyDeniedError, NotSpendableError, also where the wallet has cancelled or replaced the
 * transaction, and where a contract or a function is missing; ContractError if the node fails
 */
export async function spendAttestation(
  options: SpendAttestationOptions,
): Promise<SpentAttestation> {
  const { walletClient, result, functionName = 'executeIntent', timeoutMs = 180_000 } = options
  await checkBefore(options)
  const metaMessages = [`Task: ${result.task_id}`, `Policy client: ${result.task.policyClient}`]
  // From then on every error names the transaction, which may still be mined.
  const sent = (hash: Hex) => metaMessages.push(`Transaction: ${hash}`)
  const [executeIntent] = policyClientAbi
  const call = {
    address: result.task.policyClient,
    abi: [{ ...executeIntent, name: functionName as 'executeIntent' }],
    functionName: functionName as 'executeIntent',
    args: attestationArguments(result),
    account: walletClient.account,
  } as const
  try {
    const gas = options.gas ?? ((await estimateContractGas(walletClient, call)) * 5n) / 4n
    const hash = await writeContract(walletClient, {
      ...call,
      gas,
      chain: walletClient.chain ?? null,
    })
    sent(hash)
    const reasons: ReplacementReason[] = []
    const receipt = await waitForReceipt(walletClient, {
      hash,
      timeout: timeoutMs,
      onReplaced: ({ reason }) => reasons.push(reason),
    })
    const [reason] = reasons
    if (reason !== undefined) metaMessages.push(`Replaced by: ${receipt.transactionHash}`)
    if (reason === 'cancelled' || reason === 'replaced')
      throw new NotSpendableError(
        `The transaction was ${reason} in the wallet.`,
        'Look at the transaction that took its place. If that has not spent the attestation, spend it again.',
        { metaMessages },
      )
    if (receipt.status !== 'success')
      throw new AttestationRefusedError({
        metaMessages,
        details: `the transaction was reverted, with ${gas} gas`,
      })
    // The target of the intent can emit the same event.
    const event = parseEventLogs({
      abi: policyClientAbi,
      logs: receipt.logs,
      eventName: 'IntentExecuted',
    }).find(
      ({ address, args }) =>
        isSameHex(address, result.task.policyClient) && isSameHex(args.taskId, result.task_id),
    )
    return {
      hash: receipt.transactionHash,
      receipt,
      executed: event !== undefined || (taskDecision(result).allow ? undefined : false),
      returned: event?.args.returned ?? '0x',
    }
  } catch (error) {
    if (error instanceof AttestationRefusedError || error instanceof NotSpendableError) throw error
    const reverted = revertOf(error, { metaMessages })
    throw await unexplainedRevert(walletClient, { result, functionName, metaMessages }, reverted)
  }
}
