import { readAttestationState } from 'polgate-chain/reads.ts'
import { postTask } from 'polgate-chain/tasks.ts'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { attest } from '../attestation/testing/attest.ts'
import { startWorld, type World } from '../attestation/testing/world.ts'
import { postMissing } from './postMissing.ts'
import { isTransient } from './transientFailure.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ expireAfter: 1_000 })
})
afterAll(() => world.stop())

const place = () => ({
  client: world.transactor.client,
  taskManager: world.protocol.taskManager,
})
const sent = () =>
  world.transactor.client.getTransactionCount({ address: world.transactor.account.address })
async function isResponded(taskId: `0x${string}`) {
  const { client, taskManager } = place()
  const { certificate } = await readAttestationState(client, taskManager, taskId)
  return certificate.respondedBlock > 0
}

it('continues where another process stopped, and posts nothing twice', async () => {
  const answer = await attest(world, { signers: world.operators.slice(0, 3) })
  await postTask(world.transactor, place().taskManager, answer.task)
  const before = await sent()
  await postMissing(world.transactor, place(), answer)
  expect(await isResponded(answer.task.taskId)).toBe(true)
  expect(await sent()).toBe(before + 1)
  await postMissing(world.transactor, place(), answer)
  expect(await sent()).toBe(before + 1)
  const { response } = answer
  const other = { ...answer, response: { ...response, evaluationResult: '0x' as const } }
  await expect(postMissing(world.transactor, place(), other)).rejects.toThrow('another response')
})

it('accepts what another process posts concurrently', async () => {
  const answer = await attest(world, { signers: world.operators.slice(0, 3) })
  // Both read the chain, which has neither, before either has posted.
  const ends = await Promise.allSettled([
    postMissing(world.transactor, place(), answer),
    postMissing(world.transactor, place(), answer),
  ])
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  expect(await isResponded(answer.task.taskId)).toBe(true)
})

it('distinguishes a rejection from an unavailable node, which may be retried', async () => {
  const answer = await attest(world, { signers: world.operators.slice(0, 1) })
  const refused = await postMissing(world.transactor, place(), answer).catch((error) => error)
  expect(refused).toMatchObject({ errorName: 'QuorumNotReached' })
  expect(isTransient(refused)).toBe(false)
  const client = createPublicClient({ transport: http('http://127.0.0.1:1', { retryCount: 0 }) })
  const silent = await postMissing(world.transactor, { ...place(), client }, answer).catch(
    (error) => error,
  )
  expect(isTransient(silent)).toBe(true)
})
