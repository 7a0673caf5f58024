import { taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { readAttestationState } from 'polgate-chain/reads.ts'
import { parseEventLogs, type TransactionReceipt } from 'viem'
import type { Attestation } from '../calldata.ts'
import type { World } from './world.ts'

/** The events of the task manager in a transaction: names and arguments, in order. */
export const taskEvents = ({ logs }: TransactionReceipt) =>
  parseEventLogs({ abi: taskManagerAbi, logs }).map(({ eventName, args }) => ({ eventName, args }))

/** The stored state of an attestation's task on chain. */
export const stateOf = (world: World, { task }: Attestation) =>
  readAttestationState(world.transactor.client, world.protocol.taskManager, task.taskId)
