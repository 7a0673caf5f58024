import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Store } from './openStore.ts'
import { gatewayLease } from './taskOwnership.ts'
import { openTestStore } from './testing/openTestStore.ts'

let store: Store
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(() => store.close())

const id = (number: number): Bytes32 => `0x${String(number).padStart(64, '0')}`

const admit = (number: number, worker: string, deadline: number) =>
  store.tasks.admit({
    policyClient: `0x${'01'.repeat(20)}`,
    intentHash: id(number),
    idFor: () => id(number),
    method: 'sendTask',
    apiKeyId: 'key',
    request: {},
    deadline: new Date(Date.now() + deadline),
    chainId: 1,
    worker,
  })

/** What gateway `me` takes over, by its clock. */
async function taken(options: { now?: number; excluding?: readonly Bytes32[] } = {}) {
  const left = await store.ownership.takeOver({
    worker: 'me',
    chainId: 1,
    alone: false,
    late: new Date(options.now ?? Date.now()),
    limit: 10,
    besidesKeys: [],
    excluding: options.excluding ?? [],
  })
  return left.map((task) => task.id)
}

const farAhead = Date.now() + 3_600_000

it('a gateway with a fast clock takes no task of a running gateway', async () => {
  await admit(1, 'other', 30_000)
  await store.leases.take(gatewayLease('other'), 'other', 60_000)
  expect(await taken({ now: farAhead })).toEqual([])
  await store.leases.release(gatewayLease('other'), 'other')
  expect(await taken()).toEqual([id(1)])
})

it('its own overdue tasks are taken again, except those it is executing', async () => {
  await admit(2, 'me', 30_000)
  await admit(3, 'me', 30_000)
  expect(await taken()).toEqual([])
  expect(await taken({ now: farAhead, excluding: [id(1), id(2)] })).toEqual([id(3)])
})
