import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Bytes32 } from '../protocol/scalars.ts'
import { openStore, type Store } from '../store/openStore.ts'
import { recoverTasks } from './recover.ts'
import { createTaskUpdates } from './taskUpdates.ts'

let now = 1_700_000_000_000
const clock = () => now
let store: Store
let warnings: unknown[]
const updates = createTaskUpdates(() => {})
const deps = () => ({
  store,
  clock,
  uuid: () => crypto.randomUUID(),
  updates,
  log: { warn: (fields: object) => void warnings.push(fields), info: () => {} },
})

beforeEach(async () => {
  store = await openStore({ clock })
  warnings = []
})
afterEach(() => store.close())

const admit = async (number: number, seconds: number): Promise<Bytes32> => {
  const id: Bytes32 = `0x${String(number).padStart(64, '0')}`
  await store.tasks.admit({
    policyClient: `0x${'ab'.repeat(20)}`,
    intentHash: id,
    idFor: () => id,
    method: 'createTask',
    apiKeyId: 'key',
    request: {},
    deadline: new Date(now + seconds * 1000),
  })
  return id
}

it('ends every unfinished task of an earlier process, with its notification', async () => {
  const pending = await admit(1, 30)
  const processing = await admit(2, 30)
  await store.tasks.markProcessing(processing)
  expect(await recoverTasks(deps(), { alone: true })).toBe(2)
  for (const id of [pending, processing]) {
    const task = await store.tasks.get(id)
    expect(task).toMatchObject({
      status: 'failed',
      error: 'Task interrupted: the gateway was restarted; send the task again',
      result: { task_id: id, status: 'failed', aggregation_response: null },
    })
    const notifications = await store.notifications.forTask(id)
    expect(notifications.map(({ payload }) => payload.failure_type)).toEqual(['internal_error'])
  }
  expect(warnings).toEqual([{ tasks: 2 }])
  expect(await recoverTasks(deps(), { alone: true })).toBe(0)
})

it('leaves to other gateways what may still be theirs', async () => {
  const theirs = await admit(3, 30)
  const late = await admit(4, 1)
  now += 10_000
  expect(await recoverTasks(deps(), { alone: false })).toBe(1)
  expect(await store.tasks.get(theirs)).toMatchObject({ status: 'pending' })
  expect(await store.tasks.get(late)).toMatchObject({ status: 'timeout', error: 'Task timeout' })
})
