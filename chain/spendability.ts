import { type Address, type Hex, hexToBytes, type PublicClient } from 'viem'
import { sampleClientAbi } from './artifacts/abis.ts'
import type { CustomError } from './customErrors.ts'
import { ChainReadError } from './errors.ts'
import { readContract } from './readContract.ts'
import type { Task } from './types.ts'

/** Why the chain would refuse an attestation. */
export type SpendRefusal = {
  /** The custom error, if declared by a contract of this repository. */
  readonly revert: CustomError | undefined
  /** What the custom error does not say; the whole description where there is none. */
  readonly message: string
}

/**
 * Checks whether the chain would accept an attestation in the next block: the task manager by a dry
 * run of the call from the policy client, and the client by the terms that it sets. Whether the
 * sender is `intent.from` is not checked, because it is only known from the transaction.
 *
 * @param calldata of `validateAttestationDirect`
 * @throws ChainReadError if the node is unreachable
 */
export async function readSpendRefusals(options: {
  readonly client: PublicClient
  readonly taskManager: Address
  readonly task: Task
  readonly calldata: Hex
}): Promise<readonly SpendRefusal[]> {
  const [ofClient, ofManager] = await Promise.all([refusalsOfClient(options), dryRun(options)])
  return [...ofClient, ...ofManager]
}

type Options = Parameters<typeof readSpendRefusals>[0]

async function dryRun({
  client,
  taskManager,
  task,
  calldata,
}: Options): Promise<readonly SpendRefusal[]> {
  try {
    await readContract(taskManager, () =>
      // A transaction can be in the next block at the earliest.
      client.call({
        ...{ account: task.policyClient, to: taskManager, data: calldata },
        blockTag: 'pending',
      }),
    )
    return []
  } catch (error) {
    if (!(error instanceof ChainReadError) || error.code === 'unreachable') throw error
    return [{ revert: error.revert, message: error.revert === undefined ? error.message : '' }]
  }
}

/** A client of another implementation may lack these functions; then it sets no terms. */
async function refusalsOfClient({ client, task }: Options): Promise<readonly SpendRefusal[]> {
  const { policyClient: address, quorumThresholdPercentage: threshold } = task
  const contract = { address, abi: sampleClientAbi } as const
  const { to, data } = task.intent
  const [minimum, required, refused] = await readContract(address, () =>
    client.multicall({
      deployless: true,
      allowFailure: true,
      contracts: [
        { ...contract, functionName: 'minimumQuorumThreshold' },
        { ...contract, functionName: 'requiredQuorumNumbers' },
        { ...contract, functionName: 'refusesTarget', args: [to, data] },
      ],
    }),
  )
  const refusals: SpendRefusal[] = []
  const refuse = (errorName: string, args: readonly unknown[], message: string) =>
    refusals.push({ revert: { errorName, args }, message })
  if (minimum.status === 'success' && threshold < minimum.result) {
    const message = `threshold ${threshold} is below the client's minimum of ${minimum.result}`
    refuse('ThresholdBelowMinimum', [threshold, minimum.result], message)
  }
  if (required.status === 'success') {
    const given = new Set(hexToBytes(task.quorumNumbers))
    const missing = [...hexToBytes(required.result)].find((number) => !given.has(number))
    if (missing !== undefined) {
      refuse('QuorumMissing', [missing], `the client requires quorum ${missing}`)
    }
  }
  if (refused.status === 'success' && refused.result) {
    const message =
      'intents to it would change rights of the client itself; its owner allows them with setTargetAllowed'
    refuse('IntentTargetRefused', [to], message)
  }
  return refusals
}
