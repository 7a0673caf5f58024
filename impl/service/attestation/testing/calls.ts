import { sampleClientAbi, taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { decodeRevert } from 'polgate-chain/customErrors.ts'
import { type Address, createTestClient, encodeFunctionData, type Hex, http } from 'viem'
import { type Attestation, validateCalldata } from '../calldata.ts'
import type { World } from './world.ts'

/** A simulated call. @returns its return value; rejects with viem's error */
export async function simulate(
  world: World,
  call: { readonly from: Address; readonly to?: Address; readonly data: Hex },
): Promise<Hex | undefined> {
  const { from: account, to, data } = call
  const result = await world.transactor.client.call({
    account,
    data,
    ...(to === undefined ? {} : { to }),
  })
  return result.data
}

/** Simulates `validateAttestationDirect`, called by the policy client. */
export async function validate(
  world: World,
  attestation: Attestation,
  from: Address = attestation.task.policyClient,
): Promise<boolean> {
  const to = world.protocol.taskManager
  const returned = await simulate(world, { from, to, data: validateCalldata(attestation) })
  return BigInt(returned ?? '0x0') === 1n
}

/** Sends the attestation through its client, like a user, which spends it. */
export function execute(world: World, { task, response, signatureData }: Attestation) {
  return world.transactor.write({
    address: task.policyClient,
    abi: sampleClientAbi,
    functionName: 'executeIntent',
    args: [task, response, signatureData],
  })
}

/** The same as a simulated call. */
export function simulateExecute(
  world: World,
  { task, response, signatureData }: Attestation,
  from: Address = world.transactor.account.address,
) {
  const data = encodeFunctionData({
    abi: sampleClientAbi,
    functionName: 'executeIntent',
    args: [task, response, signatureData],
  })
  return simulate(world, { from, to: task.policyClient, data })
}

/** Calldata of the task manager, for simulated calls. */
export function encodeTaskManager(
  functionName:
    | 'boundedMulticall'
    | 'challengeTask'
    | 'createNewTask'
    | 'setAggregator'
    | 'transferOwnership'
    | 'verifyEvidence',
  args: readonly unknown[],
): Hex {
  return encodeFunctionData({ abi: taskManagerAbi, functionName, args } as never)
}

/** Mines empty blocks. */
export function mine(world: World, blocks: number): Promise<void> {
  const client = createTestClient({ mode: 'anvil', transport: http(world.anvil.url) })
  return client.mine({ blocks })
}

/** Mines until the latest block has this number. */
export async function mineTo(world: World, block: number): Promise<void> {
  const missing = block - Number(await world.transactor.client.getBlockNumber())
  if (missing < 0) throw new RangeError(`block ${block} is behind the latest`)
  if (missing > 0) await mine(world, missing)
}

/** The name of the custom error with which a call was rejected. */
export const refusal = (call: Promise<unknown>) =>
  call.then(
    (returned) => `accepted: ${returned}`,
    (error: unknown) => decodeRevert(error)?.errorName ?? `refused: ${String(error)}`,
  )
