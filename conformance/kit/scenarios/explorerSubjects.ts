import { policyFactoryAbi, sampleClientAbi, taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { deployPolicy } from 'polgate-chain/deploy.ts'
import type { Transactor } from 'polgate-chain/transactor.ts'
import { type Hex, parseEventLogs, zeroHash } from 'viem'
import { ConformanceError, Untestable } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import { expectThat, type JsonObject } from '../../core/expect.ts'
import { failureText } from '../../core/failureText.ts'
import { lacking } from '../../targets/targetLine.ts'
import { momentOf } from '../assertions/explorerRows.ts'
import { isRequired } from '../assertions/observed.ts'
import { type AttestedTask, freshAttestation } from './attested.ts'
import { ask, askTask, isUnknownList } from './explorer.ts'
import { expectPage, listPath } from './explorerLists.ts'
import { shownPolicy, shownTask, until } from './explorerShown.ts'
import { fixture } from './fixtures.ts'
import { contentOfPolicy, newClient, transactorOf } from './newClient.ts'
import {
  acceptedTask,
  createTask,
  expectTask,
  failureOf,
  resultOf,
  taskParams,
  unlistedRecipient,
} from './requests.ts'

const isResponded = (row: JsonObject) => row.task_responded_at !== null

/** The shared accepted task, as the explorer shows it once its response is on chain. */
export async function respondedTask(t: CheckContext) {
  const accepted = await acceptedTask(t)
  const detail = await t.once('explorer: responded task', () =>
    shownTask(t, accepted.result.task_id, 'the response in the explorer', isResponded),
  )
  return { ...accepted, detail }
}

/** A task whose policy is decided by oracle data, once its response is shown. */
export const pricedTask = (t: CheckContext, overrides: Record<string, unknown>) =>
  t.once('explorer: priced task', async () => {
    const params = taskParams(t, fixture.priced, overrides)
    const result = expectTask(await createTask(t, params))
    const detail = await shownTask(t, result.task_id, 'the response in the explorer', isResponded)
    return { params, result, detail }
  })

/** If the client is unknown to the suite, a failed transaction is not a finding. */
async function orUntestable<T>(t: CheckContext, what: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (isRequired(t, 'usual-contracts') || error instanceof ConformanceError) throw error
    throw new Untestable(`${what}: ${failureText(error)}`)
  }
}

export type SpentTask = {
  readonly attestation: AttestedTask['attestation']
  readonly before: JsonObject
  readonly after: JsonObject
  readonly hash: Hex
}

/** A task whose attestation the sender spends on chain: shown before and after. */
export const spentTask = (t: CheckContext): Promise<SpentTask> =>
  t.once('explorer: spent task', async () => {
    const { attestation, result } = await freshAttestation(t)
    const id = result.task_id
    const before = await shownTask(t, id, 'the response in the explorer', isResponded)
    const sender = await transactorOf(t, 'sender')
    const { task, response, signatureData } = attestation
    // Funds of the client.
    await sender.transfer(task.policyClient, response.intent.value)
    const receipt = await orUntestable(t, 'the client does not execute the intent', () =>
      sender.write({
        address: task.policyClient,
        abi: sampleClientAbi,
        functionName: 'executeIntent',
        args: [task, response, signatureData],
      }),
    )
    const after = await shownTask(
      t,
      id,
      'the spent attestation in the explorer',
      (row) => row.attestation_spent_at !== null,
    )
    return { attestation, before, after, hash: receipt.transactionHash }
  })

export type ChallengedTask = {
  readonly before: JsonObject
  readonly after: JsonObject
  readonly hash: Hex
}

/** A task that is challenged with invalid evidence: the existing result stays. */
export const challengedTask = (t: CheckContext): Promise<ChallengedTask> =>
  t.once('explorer: challenged task', async () => {
    const { attestation, result } = await freshAttestation(t)
    const id = result.task_id
    const before = await shownTask(t, id, 'the response in the explorer', isResponded)
    const address = t.target.chain?.taskManager
    if (address === undefined) throw lacking('the target has no task manager', 'chain', t.target)
    const sender = await transactorOf(t, 'sender')
    const { task, response, signatureData } = attestation
    const receipt = await orUntestable(t, 'the contract accepts no challenge', () =>
      sender.write({
        address,
        abi: taskManagerAbi,
        functionName: 'challengeTask',
        args: [task, response, signatureData],
        gas: 3_000_000n,
      }),
    )
    const after = await shownTask(
      t,
      id,
      'the challenge in the explorer',
      (row) => row.task_challenged_at !== null,
    )
    return { before, after, hash: receipt.transactionHash }
  })

export type FailedTask = {
  readonly answer: JsonObject
  readonly params: ReturnType<typeof taskParams>
  /** Undefined if the explorer does not show tasks that never reached the chain. */
  readonly detail: JsonObject | undefined
}

/** A task that fails before it is posted; whether it is shown is open. */
const failed = (t: CheckContext, name: string, client: string, overrides: object) =>
  t.once<FailedTask>(`explorer: ${name}`, async () => {
    const params = taskParams(t, client, { ...overrides })
    const given = await createTask(t, params)
    const answer = resultOf(given) as JsonObject | undefined
    if (failureOf(given) === undefined || typeof answer?.task_id !== 'string')
      throw new Untestable('the task did not fail, or its response does not contain its id')
    const shown = shownTask(t, answer.task_id, 'the failed task in the explorer')
    if (isRequired(t, 'failed-task-shown')) return { answer, params, detail: await shown }
    return { answer, params, detail: await shown.catch(() => undefined) }
  })

/** One that times out. */
export const timedOutTask = (t: CheckContext) =>
  failed(t, 'task timed out', fixture.simple, { timeout: 0.001 })

/** One whose oracle traps at every operator. */
export const trappedTask = (t: CheckContext) =>
  failed(t, 'task with operator errors', fixture.trapping, {})

/** Creates a task that fails now; returns whether the explorer shows it. */
export async function failedTaskNow(t: CheckContext): Promise<boolean> {
  const answer = await createTask(t, taskParams(t, fixture.simple, { timeout: 0.001 }))
  const result = resultOf(answer) as JsonObject | undefined
  if (failureOf(answer) === undefined || typeof result?.task_id !== 'string')
    throw new Untestable('the task did not fail, or its response does not contain its id')
  const { task_id } = result
  if (!isRequired(t, 'failed-task-shown')) return (await askTask(t, task_id)).status === 200
  await shownTask(t, task_id, 'the failed task in the explorer')
  return true
}

/** The factory that deployed a policy known to the explorer. */
export async function factoryOf(t: CheckContext, policy: JsonObject): Promise<Hex> {
  const chain = t.chain()
  const { hash } = await momentOf(t, policy.deployed_txn_hash)
  const { logs } = await chain.getTransactionReceipt({ hash: hash as Hex })
  const [deployed] = parseEventLogs({ abi: policyFactoryAbi, eventName: 'PolicyDeployed', logs })
  if (deployed === undefined) throw new Untestable('policies are not deployed by a known factory')
  return deployed.address
}

/** Deploys a copy of another policy, by its factory. */
export async function copyPolicy(
  t: CheckContext,
  transactor: Transactor,
  original: Hex,
  policyFactory: Hex,
  more: { readonly metadataCid?: string; readonly version?: string } = {},
): Promise<Hex> {
  const deployment = { ...(await contentOfPolicy(t, original)), ...more }
  return deployPolicy(transactor, { policyFactory }, deployment)
}

export type OwnPolicy = {
  readonly policy: Hex
  readonly client: Hex
  readonly policyId: Hex
  readonly shown: JsonObject
}

/** A policy and a client created by the suite: no other tasks use them. */
export const ownPolicy = (t: CheckContext): Promise<OwnPolicy> =>
  t.once('explorer: own policy', async () => {
    const { policyAddress } = t.client(fixture.simple)
    const known = await shownPolicy(t, policyAddress)
    const factory = await factoryOf(t, known)
    const policy = await copyPolicy(t, await transactorOf(t), policyAddress, factory)
    const client = await newClient(t, fixture.simple, { policy })
    const policyId = await t.chain().readContract({
      address: client,
      abi: sampleClientAbi,
      functionName: 'getPolicyId',
    })
    return { policy, client, policyId, shown: await shownPolicy(t, policy) }
  })

/** Number of tasks initially created for the suite's policy. */
export const ownTasks = 7

/** Creates one more task of the suite's client; returns its id. */
export async function createOwnTask(
  t: CheckContext,
  { client }: OwnPolicy,
  overrides: Record<string, unknown> = {},
): Promise<string> {
  const params = { ...taskParams(t), policy_client: client, ...overrides }
  return String(expectTask(await createTask(t, params)).task_id).toLowerCase()
}

export type OwnList = OwnPolicy & {
  /** Paths of the two lists of its policy. */
  readonly byId: string
  readonly byAddress: string
  /** All created tasks, the denied one first. */
  readonly ids: readonly string[]
}

/** A list with known content, once all of it is shown. */
export const ownList = (t: CheckContext): Promise<OwnList> =>
  t.once('explorer: own list', async () => {
    const own = await ownPolicy(t)
    const denied = { intent: { ...taskParams(t).intent, to: unlistedRecipient } }
    const ids = await Promise.all(
      Array.from({ length: ownTasks }, (_, at) => createOwnTask(t, own, at === 0 ? denied : {})),
    )
    const byId = await listedOf(t, () => listPath(t, 'id', own.policyId), ids.length)
    const byAddress = await listPath(t, 'address', own.policy)
    expectThat(own.policyId !== zeroHash, 'the policy id', 'a non-zero id', own.policyId)
    return { ...own, byId, byAddress, ids }
  })

/** Waits until a list has that many rows; returns its path. */
async function listedOf(
  t: CheckContext,
  pathNow: () => Promise<string>,
  total: number,
): Promise<string> {
  const read = async () => {
    const path = await pathNow()
    const answer = await ask(t, path, { query: { page: 1, size: 100 } })
    const known = isUnknownList(answer) ? 0 : expectPage(answer, { page: 1, size: 100 }).total
    return { path, total: known }
  }
  const what = `row ${total} of ${await pathNow()}`
  return (await until(t, what, read, (found) => found.total >= total)).path
}

/** The same for a known path. */
export const listed = (t: CheckContext, path: string, total: number) =>
  listedOf(t, async () => path, total)
