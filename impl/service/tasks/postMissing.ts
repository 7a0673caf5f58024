import { ChainWriteError } from 'polgate-chain/errors.ts'
import { readAttestationState } from 'polgate-chain/reads.ts'
import { postResponse, postTask } from 'polgate-chain/tasks.ts'
import type { Transactor } from 'polgate-chain/transactor.ts'
import type { Task, TaskResponse } from 'polgate-chain/types.ts'
import type { Address, Data } from 'polgate-protocol/scalars.ts'
import type { PublicClient } from 'viem'
import { responseDigest } from '../attestation/digest.ts'

/** A task and its response in the form of the contract. */
export type OnChainAnswer = {
  readonly task: Task
  readonly response: TaskResponse
  readonly signatureData: Data
}

/**
 * Posts a task and its response unless they are on chain already (decision T10): a process that
 * crashed half way, or that did not learn the outcome of its transaction, leaves something behind.
 *
 * @throws ChainReadError, ChainWriteError
 */
export async function postMissing(
  transactor: Transactor,
  { client, taskManager }: { readonly client: PublicClient; readonly taskManager: Address },
  answer: OnChainAnswer,
): Promise<void> {
  const { task, response } = answer
  const read = () => readAttestationState(client, taskManager, task.taskId)
  type State = Awaited<ReturnType<typeof read>>
  const isCreated = ({ created }: State) => created
  const isResponded = ({ certificate }: State) => {
    if (certificate.respondedBlock === 0) return false
    if (certificate.responseDigest === responseDigest(response)) return true
    throw new ChainWriteError('the task has another response', undefined, {
      code: 'reverted',
      hint: 'Another gateway of this account has posted one.',
    })
  }
  /** A rejection may mean that it was posted concurrently. */
  const unlessThere = async (isThere: (state: State) => boolean, post: () => Promise<unknown>) => {
    try {
      await post()
    } catch (error) {
      const state = await read().catch(() => undefined)
      if (state === undefined || !isThere(state)) throw error
    }
  }

  const before = await read()
  if (isResponded(before)) return
  if (!before.created) await unlessThere(isCreated, () => postTask(transactor, taskManager, task))
  await unlessThere(isResponded, () => postResponse(transactor, taskManager, answer))
}
