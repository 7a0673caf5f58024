import type { SeenBlock } from 'polgate-chain/chainWatch.ts'
import { ChainWriteError } from 'polgate-chain/errors.ts'
import { type PostingEnds, policyDataOf, postTogether } from 'polgate-chain/postTogether.ts'
import { readContract } from 'polgate-chain/readContract.ts'
import { readAttestationState } from 'polgate-chain/reads.ts'
import { type OnChainAnswer, postResponse, postTask } from 'polgate-chain/tasks.ts'
import type { Transactor } from 'polgate-chain/transactor.ts'
import { writeFailure } from 'polgate-chain/writeFailure.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
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
 * Posts results in one transaction. A result that needs more than its share of the gas is posted alone,
 * and so are all if the task manager does not have the function.
 *
 * @returns for each result: posted, or a ChainReadError or ChainWriteError
 */
export async function postAnswers(
  transactor: Transactor,
  chain: OnChain,
  answers: readonly OnChainAnswer[],
): Promise<readonly PromiseSettledResult<void>[]> {
  const { taskManager } = chain
  const ends = await postTogether(transactor, taskManager, answers).catch((error: unknown) => error)
  const post = async (answer: OnChainAnswer): Promise<void> => {
    const { taskId } = answer.task
    if (!(ends instanceof Map)) {
      if (isCommonCause(ends)) throw ends
      return await postInSteps(transactor, chain, answer)
    }
    const end = (ends as PostingEnds).get(taskId)
    if (end?.kind === 'posted' || (await isPosted(chain, answer)).responded) return
    if (end?.kind !== 'rejected') throw burnt(answer)
    if (!end.outOfGas || answers.length === 1) throw end.reason
    const alone = (await postTogether(transactor, taskManager, [answer])).get(taskId)
    if (alone?.kind === 'posted' || (await isPosted(chain, answer)).responded) return
    throw alone?.kind === 'rejected' ? alone.reason : burnt(answer)
  }
  return await Promise.allSettled(answers.map(post))
}

const burnt = (answer: OnChainAnswer) =>
  writeFailure(
    'gas-burnt',
    `PolicyData ${policyDataOf(answer).join(' or ')} accepts the result in a simulation, but not in the transaction`,
  )

/**
 * Whether a task and its response are on chain already (decision T10): a process that crashed half way,
 * or that did not learn the outcome of its transaction, leaves something behind.
 *
 * @throws ChainReadError; ChainWriteError if the task has another response
 */
async function isPosted(
  { client, taskManager, onFound }: OnChain,
  { task, response }: OnChainAnswer,
): Promise<{ readonly created: boolean; readonly responded: boolean }> {
  // At a block, which is then watched: if it leaves the chain, so may have the result.
  const { number, hash } = await readContract(taskManager, () => client.getBlock())
  const state = await readAttestationState(client, taskManager, task.taskId, number)
  const { created, certificate } = state
  if (certificate.respondedBlock === 0) return { created, responded: false }
  if (certificate.responseDigest === responseDigest(response)) {
    onFound({ number, hash })
    return { created, responded: true }
  }
  throw new ChainWriteError('the task has another response', undefined, {
    code: 'reverted',
    hint: 'Another gateway of this account has posted one.',
  })
}

/** Posts a result to a task manager that makes one call in a transaction. @throws ChainReadError, ChainWriteError */
async function postInSteps(
  transactor: Transactor,
  chain: OnChain,
  answer: OnChainAnswer,
): Promise<void> {
  const { taskManager } = chain
  /** A rejection may mean that it was posted concurrently. */
  const unlessThere = async (step: 'created' | 'responded', post: () => Promise<unknown>) => {
    try {
      await post()
    } catch (error) {
      const state = await isPosted(chain, answer).catch(() => undefined)
      if (state?.[step] !== true) throw error
    }
  }
  const before = await isPosted(chain, answer)
  if (before.responded) return
  if (!before.created) {
    await unlessThere('created', () => postTask(transactor, taskManager, answer.task))
  }
  await unlessThere('responded', () => postResponse(transactor, taskManager, answer))
}
