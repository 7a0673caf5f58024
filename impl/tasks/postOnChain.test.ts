import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Bytes32 } from '../protocol/scalars.ts'
import { openStore, type Store } from '../store/openStore.ts'
import { createPostOnChain, type Posting } from './postOnChain.ts'
import type { TaskChain } from './taskChain.ts'
import { createTaskUpdates } from './taskUpdates.ts'

let store: Store
let answer: (id: string) => Promise<void>
const heard: unknown[] = []
const updates = createTaskUpdates(() => {})
updates.subscribeAll((news) => heard.push(news.kind === 'notification' && news.notification))

const create = () =>
  createPostOnChain({
    store,
    chain: { post: ({ task }) => answer(task.taskId) } as Pick<TaskChain, 'post'> as TaskChain,
    clock: Date.now,
    uuid: () => crypto.randomUUID(),
    updates,
    postOnChain: true,
    log: { warn: () => {}, info: () => {} },
  })

beforeEach(async () => {
  store = await openStore({ clock: Date.now })
  heard.length = 0
})
afterEach(() => store.close())

/** A result of a task that the store knows. */
const posting = async (number: number): Promise<Posting> => {
  const taskId: Bytes32 = `0x${String(number).padStart(64, '0')}`
  await store.tasks.admit({
    policyClient: `0x${'ab'.repeat(20)}`,
    intentHash: taskId,
    idFor: () => taskId,
    method: 'createTask',
    apiKeyId: 'key',
    request: {},
    deadline: new Date(Date.now() + 30_000),
  })
  const signed = { response: {}, aggregation: { signatureData: '0x' } }
  return { task: { taskId }, signed, apiKeyId: 'key' } as unknown as Posting
}
const told = async ({ task }: Posting) =>
  (await store.notifications.forTask(task.taskId)).map(({ payload }) => [
    payload.failure_type,
    payload.error_message,
  ])

it('tells of a result that the chain refuses, and goes on', async () => {
  const [refused, taken] = [await posting(1), await posting(2)]
  answer = async (id) => {
    if (id === refused.task.taskId) throw new Error('no gas')
  }
  const post = create()
  post.later(refused)
  post.later(taken)
  await post.close()
  expect(await told(refused)).toEqual([
    ['onchain_submission_failed', 'On-chain submission failed: no gas'],
  ])
  expect(await told(taken)).toEqual([])
  expect(heard).toMatchObject([{ task_id: refused.task.taskId }])
})

it('tells of what still waits when it closes, and takes nothing after that', async () => {
  answer = () => new Promise(() => {})
  const all = await Promise.all(Array.from({ length: 7 }, (_, at) => posting(at + 1)))
  const post = create()
  for (const each of all.slice(0, 6)) post.later(each)
  await post.close()
  post.later(all[6]!)
  const left = [
    'onchain_submission_failed',
    'On-chain submission failed: the gateway is shutting down',
  ]
  // Four are sent at a time; what became of those that were under way is not known.
  expect(await Promise.all(all.map(told))).toEqual([[], [], [], [], [left], [left], []])
})
