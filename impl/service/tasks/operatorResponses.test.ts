import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storedUpdate } from '../gateway/updates/storedUpdate.ts'
import type { Operator } from '../operators/operator.ts'
import type { Store } from '../store/openStore.ts'
import { openTestStore } from '../store/testing/openTestStore.ts'
import { never } from './testing/faultyOperators.ts'
import { createGateways } from './testing/gateways.ts'

let store: Store
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(() => store.close())

const recordOf = async (id: Bytes32) => (await store.tasks.get(id))!
const phasesOf = async (id: Bytes32) =>
  (await recordOf(id)).operatorResponses?.map(({ phase, success }) => `${phase} ${success}`) ?? []
const ended = (id: Bytes32) =>
  expect.poll(async () => (await recordOf(id)).finishedAt, { timeout: 60_000 }).not.toBeNull()
const data = Array(3).fill('data true')
const signatures = Array(3).fill('signature true')
/** Answers with data, and never with a signature. */
const unsigning = (operator: Operator): Operator => ({
  ...operator,
  sign: (_, signal) => never(signal),
})

describe('operator responses (decision W4)', () => {
  it.each(['success', 'failed'] as const)('are stored with the end: %s', async (end) => {
    const gateways = createGateways()
    const operator = (each: Operator): Operator =>
      end === 'success' ? each : { ...each, sign: () => Promise.reject(new Error('no')) }
    const { tasks, updates } = await gateways.start({ store, operator })
    let told: unknown
    updates.subscribeAll((news) => {
      if (news.kind === 'update') told = news.update.data.operator_responses
    })
    const { task_id, status } = await tasks.createTask(gateways.params(), gateways.caller)
    await tasks.close()
    expect(status).toBe(end)
    const signed = end === 'success' ? signatures : Array(3).fill('signature false')
    expect(await phasesOf(task_id!)).toEqual([...data, ...signed])
    const record = await recordOf(task_id!)
    expect(record.operatorResponses).toEqual(told)
    // For subscribers after a restart, or at another gateway.
    expect(storedUpdate(record).data.operator_responses).toEqual(told)
  })

  it('are stored during the task, and continued by the gateway that takes it over', async () => {
    const gateways = createGateways()
    const first = await gateways.start({ store, operator: unsigning })
    const { task_id } = await first.tasks.sendTask(gateways.params(), gateways.caller)
    await expect.poll(() => phasesOf(task_id), { timeout: 60_000 }).toEqual(data)
    const underWay = await recordOf(task_id)
    expect(underWay.finishedAt).toBeNull()
    expect(storedUpdate(underWay).data.operator_responses).toEqual(underWay.operatorResponses)
    // As after a crash: the task does not end.
    await store.ownership.release([task_id], first.id)
    const second = await gateways.start({ store })
    await ended(task_id)
    const after = (await recordOf(task_id)).operatorResponses!
    expect(after.slice(0, 3)).toEqual(underWay.operatorResponses)
    expect(after.slice(-3).map(({ phase }) => phase)).toEqual(Array(3).fill('signature'))
    await second.tasks.close()
    await first.tasks.close()
    expect((await recordOf(task_id)).operatorResponses).toEqual(after)
  })

  it('are never replaced by fewer', async () => {
    const gateways = createGateways()
    const { tasks } = await gateways.start({ store })
    const { task_id } = await tasks.createTask(gateways.params(), gateways.caller)
    await tasks.close()
    const [one] = (await recordOf(task_id!)).operatorResponses!
    await store.database.query('update tasks set finished_at = null where id = $1', [task_id])
    await store.tasks.persistResponses(task_id!, 'nobody', Array(9).fill(one))
    const result = { status: 'failed', aggregation_response: null, timestamp: 1 } as const
    await store.tasks.finish(task_id!, { status: 'failed', result, operatorResponses: [one!] })
    expect(await phasesOf(task_id!)).toEqual([...data, ...signatures])
  })
})
