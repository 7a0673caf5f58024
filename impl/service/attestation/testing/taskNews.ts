import { taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { readAttestationState } from 'polgate-chain/reads.ts'
import { parseEventLogs, type TransactionReceipt } from 'viem'
import type { Attestation } from '../calldata.ts'
import type { World } from './world.ts'

/** What the task manager told in a transaction: names and arguments, in order. */
export const taskEvents = ({ logs }: TransactionReceipt) =>
  parseEventLogs({ abi: taskManagerAbi, logs }).map(({ eventName, args }) => ({ eventName, args }))

/** What the chain holds of an attestation. */
export const stateOf = (world: World, { task }: Attestation) =>
  readAttestationState(world.transactor.client, world.protocol.taskManager, task.taskId)
