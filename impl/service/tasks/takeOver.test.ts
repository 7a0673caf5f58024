import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { intentHash, parseIntent, taskId } from '../intents/intent.ts'
import type { Operator } from '../operators/operator.ts'
import { engines } from '../store/engines.fixture.ts'
import type { Store } from '../store/openStore.ts'
import { createGateways, type Gateway, type GatewayOptions } from './testing/gateways.ts'
import { openSharedStores, type SharedStores } from './testing/sharedStores.ts'

/** Long enough that no test reaches it. */
const seconds = 30_000
const world = createGateways()

describe.each(engines)('orphaned tasks, on the $name engine', ({ url }) => {
  let shared: SharedStores
  let store: Store
  const open: Gateway[] = []

  beforeAll(async () => {
    shared = await openSharedStores(url)
    store = shared.store
  })
  afterEach(async () => {
    release()
    await Promise.all(open.splice(0).map(({ tasks }) => tasks.close()))
    await store.database.execute('truncate tasks, notifications, leases')
  })
  afterAll(() => shared.close())

  const start = async (options: Partial<GatewayOptions> = {}) => {
    const gateway = await world.start({ store, ...options })
    open.push(gateway)
    return gateway
  }

  /** A task admitted by a gateway, with its record. */
  async function left(
    given: { worker?: string; left?: number; more?: object } = {},
  ): Promise<Bytes32> {
    const params = world.params()
    const hash = intentHash(parseIntent(params.intent))
    const client = params.policy_client
    const admission = await store.tasks.admit({
      policyClient: client,
      intentHash: hash,
      idFor: (nonce) =>
        taskId({
          chainId: BigInt(world.chainId),
          policyClient: client,
          intentHash: hash,
          nonce,
          taskCreatedBlock: world.block(),
        }),
      referenceBlock: world.block(),
      method: 'sendTask',
      apiKeyId: 'key',
      request: { ...params, ...given.more },
      deadline: new Date(Date.now() + (given.left ?? seconds)),
      chainId: world.chainId,
      worker: given.worker ?? 'a gateway that was killed',
    })
    if (admission.outcome !== 'admitted') throw new Error('duplicate')
    return admission.task.id
  }
  const ended = async (id: Bytes32) => {
    await expect.poll(async () => (await store.tasks.get(id))?.finishedAt ?? null).not.toBeNull()
    return (await store.tasks.get(id))!
  }
  const told = async (id: Bytes32) =>
    (await store.notifications.forTask(id)).map(({ payload }) => payload.failure_type)

  /** Ends the blocking in the running test, or after it. */
  let release = () => {}
  const held = () => {
    let resolveThis = () => {}
    const until = new Promise<void>((resolve) => {
      resolveThis = resolve
    })
    const before = release
    release = () => {
      before()
      resolveThis()
    }
    return until
  }
  /** Operators that sign for this gateway, which never receives their answers. */
  const signsUnheard = (until: Promise<void>, signed: string[]) => (operator: Operator) => ({
    ...operator,
    sign: async (...args: Parameters<Operator['sign']>) => {
      const answer = await operator.sign(...args)
      signed.push(args[0].draft.taskId)
      await until
      return answer
    },
  })
  const killed = 'a gateway that was killed'
  const leave = (id: Bytes32) =>
    store.database.query('update tasks set carrier = $2 where id = $1', [id, killed])

  it('continue with the settled data, so that operators sign the same response again', async () => {
    const signed: string[] = []
    const first = await start({ operator: signsUnheard(held(), signed) })
    const { task_id: id } = await first.tasks.sendTask(world.params(), world.caller)
    await expect.poll(() => signed.length).toBe(3)
    await leave(id)
    const second = await start()
    const record = await ended(id)
    expect(record).toMatchObject({ status: 'success', error: null })
    const [row] = await store.database.query('select carrier from tasks where id = $1', [id])
    expect(row).toMatchObject({ carrier: second.id })
    expect(record.result!.reference_block).toBe(record.referenceBlock)
    expect(await told(id)).toEqual([])
  })

  it('would not be signed if they were settled again', async () => {
    const signed: string[] = []
    const first = await start({ operator: signsUnheard(held(), signed) })
    const { task_id: id } = await first.tasks.sendTask(world.params(), world.caller)
    await expect.poll(() => signed.length).toBe(3)
    await store.database.query('update tasks set checkpoint = null where id = $1', [id])
    await leave(id)
    // The reference block is fixed by the task id; the oracle outputs have changed.
    const operator = (each: Operator) => ({
      ...each,
      collectData: async (...args: Parameters<Operator['collectData']>) => {
        const { outputs, timings } = await each.collectData(...args)
        return { outputs: outputs.map((output) => output.replace('2000', '2001')), timings }
      },
    })
    await start({ operator })
    const { status, operatorErrors } = await ended(id)
    expect(status).toBe('failed')
    expect(operatorErrors![0]!.message).toContain('it has signed another response to this task')
  })

  it('have one end, which their first gateway returns to its caller when it resumes', async () => {
    const signed: string[] = []
    const until = held()
    const first = await start({ operator: signsUnheard(until, signed) })
    const answer = first.tasks.createTask(world.params(), world.caller)
    await expect.poll(() => signed.length).toBe(3)
    const id = signed[0] as Bytes32
    await leave(id)
    const hold = held()
    const heldSecond: string[] = []
    await start({ operator: signsUnheard(hold, heldSecond) })
    await expect.poll(() => heldSecond.length).toBe(3)
    // The first one now has the signatures, and may not end a task that it lost.
    release()
    const { result } = await ended(id)
    expect(await answer).toEqual(result)
    expect(result!.status).toBe('success')
  })

  it('end as timeout past their deadline, with one notification', async () => {
    const id = await left({ left: -60_000 })
    await Promise.all([start(), start({ store: await shared.another() })])
    expect(await ended(id)).toMatchObject({ status: 'timeout', error: 'Task timeout' })
    expect(await told(id)).toEqual(['timeout'])
  })

  it('end as failed if they had ephemeral data, which is not stored', async () => {
    const id = await left({ more: { _privacy: 1 } })
    await start()
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      error: 'Task interrupted: its ephemeral data is not stored; send the task again',
    })
    expect(await told(id)).toEqual(['internal_error'])
  })

  it('end as failed if the checkpoint cannot be parsed', async () => {
    const id = await left()
    await store.database.query(`update tasks set checkpoint = '{"now":"x"}' where id = $1`, [id])
    await start()
    expect(await ended(id)).toMatchObject({ status: 'failed' })
    expect(await told(id)).toEqual(['internal_error'])
  })

  it('end as failed and recoverable if an earlier release admitted them', async () => {
    const id = await left()
    await store.database.query('update tasks set reference_block = null where id = $1', [id])
    await start()
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      error: 'Task interrupted: the gateway was upgraded; send the task again',
    })
    expect(await told(id)).toEqual(['internal_error'])
  })

  it('respect the limits of their new gateway', async () => {
    const options = {
      worker: 'me',
      chainId: world.chainId,
      alone: false,
      late: new Date(0),
      limit: 2,
      besidesKeys: [],
      excluding: [],
    }
    const ids = [await left(), await left(), await left()]
    expect(await store.ownership.takeOver({ ...options, besidesKeys: ['key'] })).toEqual([])
    expect(await store.ownership.takeOver({ ...options, chainId: 1 })).toEqual([])
    await store.leases.take('gateway/me', 'me', seconds)
    const taken = await store.ownership.takeOver(options)
    expect(taken).toHaveLength(2)
    expect(await store.ownership.takeOver(options)).toHaveLength(1)
    expect(await store.ownership.takeOver(options)).toEqual([])
    await store.ownership.release([ids[0]!], 'another')
    expect(await store.ownership.lost(ids, 'me')).toEqual([])
    await store.ownership.release([ids[0]!], 'me')
    expect(await store.ownership.lost(ids, 'me')).toEqual([ids[0]])
    expect(await store.ownership.settle(ids[0]!, 'me', {})).toBe(false)
    expect(await store.ownership.settle(ids[1]!, 'me', {})).toBe(true)
    expect(await store.ownership.settle(ids[1]!, 'me', {})).toBe(false)
  })

  describe.skipIf(url === undefined)('with other gateways', () => {
    it('are executed once each by several gateways', async () => {
      const ids: Bytes32[] = []
      for (let at = 0; at < 40; at += 1) ids.push(await left())
      const asked: string[] = []
      const counting = (operator: Operator) => ({
        ...operator,
        collectData: async (...args: Parameters<Operator['collectData']>) => {
          asked.push(operator.id)
          return await operator.collectData(...args)
        },
      })
      const stores = [store, await shared.another(), await shared.another()]
      const gateways = await Promise.all(
        stores.map((each) => start({ store: each, operator: counting, postOnChain: true })),
      )
      const ends = await Promise.all(ids.map(ended))
      expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['success']))
      // Three operators, each called once per task.
      expect(asked).toHaveLength(3 * ids.length)
      const names = gateways.map(({ id }) => id)
      const rows = await store.database.query<{ carrier: string }>('select carrier from tasks')
      expect(rows.every(({ carrier }) => names.includes(carrier))).toBe(true)
      await expect
        .poll(async () =>
          store.database.query("select id from tasks where posting is distinct from 'posted'"),
        )
        .toEqual([])
      expect(world.posted.map(({ task }) => task.taskId).sort()).toEqual([...ids].sort())
    })

    it('are not touched while their gateway renews its lease, and are taken over when it is suspended', async () => {
      const leaseTimes = { leaseMs: 1_500, heartbeatMs: 50 }
      let stands = false
      const leases = {
        ...store.leases,
        take: (...args: Parameters<Store['leases']['take']>) =>
          stands ? new Promise<boolean>(() => {}) : store.leases.take(...args),
      }
      const signed: string[] = []
      const until = held()
      const first = await world.start({
        store: { ...store, leases },
        leaseTimes,
        operator: signsUnheard(until, signed),
      })
      const answer = first.tasks.createTask(world.params(), world.caller)
      await expect.poll(() => signed.length).toBe(3)
      const id = signed[0] as Bytes32
      await start({ store: await shared.another(), leaseTimes })
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(await store.tasks.get(id)).toMatchObject({ finishedAt: null })
      stands = true
      const { result } = await ended(id)
      release()
      expect(await answer).toEqual(result)
      expect(result!.status).toBe('success')
    })

    it('go to another gateway immediately when theirs closes and no caller waits', async () => {
      const leaseTimes = { leaseMs: 5_000, heartbeatMs: 50 }
      const signed: string[] = []
      const first = await world.start({ store, operator: signsUnheard(held(), signed) })
      const { task_id: sent } = await first.tasks.sendTask(world.params(), world.caller)
      const waited = first.tasks.createTask(world.params(), world.caller)
      await expect.poll(() => signed.length).toBe(6)
      await start({ store: await shared.another(), leaseTimes })
      await first.tasks.close()
      expect(await waited).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('the gateway is shutting down'),
      })
      expect(await ended(sent)).toMatchObject({ status: 'success' })
      expect(await told(sent)).toEqual([])
    })
  })
})
