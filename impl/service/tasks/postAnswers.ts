import type { SeenBlock } from 'polgate-chain/chainWatch.ts'
import { ChainWriteError } from 'polgate-chain/errors.ts'
import { readContract } from 'polgate-chain/readContract.ts'
import { readAttestationState } from 'polgate-chain/reads.ts'
import { type OnChainAnswer, postResponse, postTask, postTogether } from 'polgate-chain/tasks.ts'
import type { Transactor } from 'polgate-chain/transactor.ts'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import type { PublicClient } from 'viem'
import { responseDigest } from '../attestation/digest.ts'
import { isCommonCause } from './transientFailure.ts'

type OnChain = {
  readonly client: PublicClient
  readonly taskManager: Address
  /** Called with the block at which a result was on chain already, before this call posted it. */
  readonly onFound: (block: SeenBlock) => void
}

/**
 * Posts results in one transaction, and what it leaves out one by one, which finds the reason: the
 * task manager rejects it, or does not have the function.
 *
 * @returns for each result: posted, or a ChainReadError or ChainWriteError
 */
export async function postAnswers(
  transactor: Transactor,
  chain: OnChain,
  answers: readonly OnChainAnswer[],
): Promise<readonly PromiseSettledResult<void>[]> {
  const posted = await postTogether(transactor, chain.taskManager, answers).catch(
    (error: unknown) => {
      if (isCommonCause(error)) return error
      return new Set<Bytes32>()
    },
  )
  return await Promise.allSettled(
    answers.map(async (answer) => {
      if (!(posted instanceof Set)) throw posted
      if (!posted.has(answer.task.taskId)) await postMissing(transactor, chain, answer)
    }),
  )
}

/**
 * Posts a task and its response unless they are on chain already (decision T10): a process that
 * crashed half way, or that did not learn the outcome of its transaction, leaves something behind.
 *
 * @throws ChainReadError, ChainWriteError
 */
async function postMissing(
  transactor: Transactor,
  { client, taskManager, onFound }: OnChain,
  answer: OnChainAnswer,
): Promise<void> {
  const { task, response } = answer
  // At a block, which is then watched: if it leaves the chain, so may have the result.
  const read = async () => {
    const { number, hash } = await readContract(taskManager, () => client.getBlock())
    const state = await readAttestationState(client, taskManager, task.taskId, number)
    return { ...state, block: { number, hash } }
  }
  type State = Awaited<ReturnType<typeof read>>
  const isCreated = ({ created }: State) => created
  const isResponded = ({ certificate, block }: State) => {
    if (certificate.respondedBlock === 0) return false
    if (certificate.responseDigest === responseDigest(response)) {
      onFound(block)
      return true
    }
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
