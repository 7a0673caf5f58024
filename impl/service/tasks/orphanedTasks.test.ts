import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Store } from '../store/openStore.ts'
import { openTestStore } from '../store/testing/openTestStore.ts'
import { type OrphanedTasksParts, takeOverTasks } from './orphanedTasks.ts'
import { createTaskAdmissionLimit } from './taskAdmissionLimit.ts'
import type { TaskDeps } from './taskDeps.ts'
import { TaskFailure } from './taskErrors.ts'
import { createTaskUpdates } from './taskUpdates.ts'

let store: Store
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(() => store.close())

const params = {
  policy_client: `0x${'01'.repeat(20)}`,
  intent: {
    from: `0x${'01'.repeat(20)}`,
    to: `0x${'02'.repeat(20)}`,
    value: '0x1',
    data: '0x',
    chain_id: '0x1',
    function_signature: '0x',
  },
} as const

async function left(number: number, apiKeyId: string): Promise<void> {
  const id: Bytes32 = `0x${String(number).padStart(64, '0')}`
  await store.tasks.admit({
    policyClient: params.policy_client,
    intentHash: id,
    idFor: () => id,
    method: 'createTask',
    apiKeyId,
    request: params,
    deadline: new Date(Date.now() + 60_000),
    chainId: 1,
    worker: 'an earlier process',
  })
}

it('takes over as many as there are slots, in total and per key, and leaves the rest', async () => {
  for (let at = 0; at < 5; at += 1) await left(at, 'busy')
  for (let at = 5; at < 7; at += 1) await left(at, 'other')
  const load = createTaskAdmissionLimit({ tasks: 4, tasksPerKey: 3, carried: 0, carriedPerKey: 0 })
  const held = new Set<string>()
  const closing = new AbortController()
  const work: Promise<unknown>[] = []
  const deps = {
    ...{ store, clock: Date.now, uuid: () => crypto.randomUUID() },
    chain: { chainId: 1 },
    updates: createTaskUpdates(() => {}),
    log: { warn() {}, info() {} },
  } as unknown as TaskDeps
  const parts = {
    load,
    workerLease: {
      id: 'me',
      shared: false,
      hold: (id: string) => {
        held.add(id)
        return () => {}
      },
      held: () => [...held],
    },
    closing: closing.signal,
    background: (each: Promise<unknown>) => void work.push(each),
  } as unknown as OrphanedTasksParts
  const mine = async () =>
    (
      await store.database.query(
        `select api_key_id as key, count(*) as count from tasks where carrier = 'me'
         group by 1 order by 1`,
      )
    ).map(({ key, count }) => [key, count])

  await takeOverTasks(deps, parts)
  expect(await mine()).toEqual([['busy', 3]])
  // Excess tasks of one key do not block those of others.
  await takeOverTasks(deps, parts)
  expect(await mine()).toEqual([
    ['busy', 3],
    ['other', 1],
  ])
  expect(load.size).toBe(4)
  expect(await takeOverTasks(deps, parts)).toBe(0)

  closing.abort(new TaskFailure('closed', { failureType: 'internal_error' }))
  await Promise.all(work)
  expect(load.size).toBe(0)
  expect(await store.tasks.listUnfinished()).toHaveLength(3)
})
