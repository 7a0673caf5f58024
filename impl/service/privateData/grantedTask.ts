import type { ClientContext } from 'polgate-chain/reads.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { recoverSigner } from '../ecdsa/recoverSigner.ts'
import { intentHash, parseIntent, taskId } from '../intents/intent.ts'
import { intentDigest } from '../intents/intentSignature.ts'
import type { Grant } from './grant.ts'
import type { GrantChain } from './grantChain.ts'
import { grantRefused } from './grantRefused.ts'

export type GrantedTask = Pick<
  Grant,
  'chainId' | 'taskId' | 'policyClient' | 'referenceBlock' | 'nonce' | 'intent' | 'intentSignature'
>

/**
 * The policy client of a task at its reference block.
 *
 * @throws ServiceError for another chain, a task id of other members, and a block that is too old or
 * that the node does not have
 */
export async function verifiedTask(
  chain: GrantChain,
  task: GrantedTask,
  signal: AbortSignal,
): Promise<ClientContext> {
  const { policyClient, referenceBlock, nonce } = task
  if (task.chainId !== chain.chainId)
    throw grantRefused(`the task is for chain ${task.chainId}, not ${chain.chainId}`)
  const id = taskId({
    chainId: BigInt(chain.chainId),
    policyClient,
    intentHash: intentHash(parseIntent(task.intent)),
    nonce,
    taskCreatedBlock: referenceBlock,
  })
  if (id !== task.taskId.toLowerCase()) throw grantRefused('the task id is that of another task')
  // Each time: the context of an old block may still be in memory.
  const [latest, context] = await Promise.all([
    chain.latestBlock(),
    chain.contextAt(policyClient, referenceBlock, signal),
  ])
  const behind = latest - referenceBlock
  if (behind > chain.maxBlocksBehind)
    throw grantRefused(`block ${referenceBlock} is ${behind} blocks old`, true)
  return context
}

/**
 * The account that has signed the intent of a task, in lower case; undefined without a signature
 * that one account can have made. Signatures of contracts (ERC-1271) belong to no account.
 *
 * @throws ServiceError for a client without a signing domain
 */
export async function userOf(
  { intent, intentSignature }: Pick<GrantedTask, 'intent' | 'intentSignature'>,
  { signingDomain, policyClient }: Pick<ClientContext, 'signingDomain' | 'policyClient'>,
): Promise<Address | undefined> {
  if (intentSignature === null) return undefined
  if (signingDomain === undefined)
    throw grantRefused(`policy client ${policyClient} has no signing domain that can be read`)
  return await recoverSigner(intentDigest(parseIntent(intent), signingDomain), intentSignature)
}
