import type { SeenBlock } from 'polgate-chain/chainWatch.ts'
import { ChainWriteError } from 'polgate-chain/errors.ts'
import { readAttestationState } from 'polgate-chain/reads.ts'
import type { OnChainAnswer } from 'polgate-chain/tasks.ts'
import { postTask } from 'polgate-chain/tasks.ts'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { attest } from '../attestation/testing/attest.ts'
import { startWorld, type World } from '../attestation/testing/world.ts'
import { postAnswers } from './postAnswers.ts'
import { isTransient } from './transientFailure.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ expireAfter: 1_000 })
})
afterAll(() => world.stop())

const found: SeenBlock[] = []
const place = () => ({
  onFound: (block: SeenBlock) => void found.push(block),
  client: world.transactor.client,
  taskManager: world.protocol.taskManager,
})
const sent = () =>
  world.transactor.client.getTransactionCount({ address: world.transactor.account.address })
/** Posts one result. */
async function post(answer: OnChainAnswer, chain = place()): Promise<void> {
  const [end] = await postAnswers(world.transactor, chain, [answer])
  if (end!.status === 'rejected') throw end!.reason
}
async function isResponded(taskId: `0x${string}`) {
  const { client, taskManager } = place()
  const { certificate } = await readAttestationState(client, taskManager, taskId)
  return certificate.respondedBlock > 0
}

it('continues where another process stopped, and posts nothing twice', async () => {
  const answer = await attest(world, { signers: world.operators.slice(0, 3) })
  await postTask(world.transactor, place().taskManager, answer.task)
  const before = await sent()
  await post(answer)
  expect(await isResponded(answer.task.taskId)).toBe(true)
  expect(await sent()).toBe(before + 1)
  expect(found).toEqual([])
  await post(answer)
  expect(await sent()).toBe(before + 1)
  const { number, hash } = await place().client.getBlock()
  expect(found).toEqual([{ number, hash }])
  const { response } = answer
  const other = { ...answer, response: { ...response, evaluationResult: '0x' as const } }
  await expect(post(other)).rejects.toThrow('another response')
})

it('accepts what another process posts concurrently', async () => {
  const answer = await attest(world, { signers: world.operators.slice(0, 3) })
  // Both read the chain, which has neither, before either has posted.
  const ends = await Promise.allSettled([post(answer), post(answer)])
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  expect(await isResponded(answer.task.taskId)).toBe(true)
})

const three = () => attest(world, { signers: world.operators.slice(0, 3) })

it('posts several results with one transaction', async () => {
  const answers = await Promise.all([three(), three(), three()])
  const before = await sent()
  const ends = await postAnswers(world.transactor, place(), answers)
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  expect(await sent()).toBe(before + 1)
  for (const { task } of answers) expect(await isResponded(task.taskId)).toBe(true)
})

it('leaves out what the task manager rejects, and says why', async () => {
  const [one, two, created] = await Promise.all([three(), three(), three()])
  await postTask(world.transactor, place().taskManager, created.task)
  const unsigned = await attest(world, { signers: world.operators.slice(0, 1) })
  const before = await sent()
  const ends = await postAnswers(world.transactor, place(), [one, unsigned, created, two])
  expect(ends).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { errorName: 'QuorumNotReached' } },
    { status: 'fulfilled' },
    { status: 'fulfilled' },
  ])
  // The simulation shows the rejection, so nothing is sent for it.
  expect(await sent()).toBe(before + 1)
  for (const { task } of [one, created, two]) expect(await isResponded(task.taskId)).toBe(true)
})

it('posts one by one to a task manager without multicall', async () => {
  const answer = await three()
  const { transactor } = world
  const noMulticall: typeof transactor = {
    ...transactor,
    simulate: (call) => transactor.simulate({ ...call, address: world.protocol.operatorRegistry }),
  }
  const before = await sent()
  const ends = await postAnswers(noMulticall, place(), [answer])
  expect(ends).toEqual([{ status: 'fulfilled', value: undefined }])
  expect(await sent()).toBe(before + 2)
})

it('rejects all for a reason that all have in common, and tries none alone', async () => {
  const { transactor } = world
  const cause = new ChainWriteError('no answer', undefined, { code: 'timeout', hint: '' })
  const silent: typeof transactor = { ...transactor, simulate: () => Promise.reject(cause) }
  const before = await sent()
  const ends = await postAnswers(silent, place(), await Promise.all([three(), three()]))
  expect(ends).toEqual([
    { status: 'rejected', reason: cause },
    { status: 'rejected', reason: cause },
  ])
  expect(await sent()).toBe(before)
})

it('distinguishes a rejection from an unavailable node, which may be retried', async () => {
  const answer = await attest(world, { signers: world.operators.slice(0, 1) })
  const refused = await post(answer).catch((error) => error)
  expect(refused).toMatchObject({ errorName: 'QuorumNotReached' })
  expect(isTransient(refused)).toBe(false)
  const client = createPublicClient({ transport: http('http://127.0.0.1:1', { retryCount: 0 }) })
  const silent = await post(answer, { ...place(), client }).catch((error) => error)
  expect(isTransient(silent)).toBe(true)
})
