import { defaultBrand } from 'polgate-protocol/brand.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openUpdateServer, type TestUpdateServer } from './updateServer.fixture.ts'

let server: TestUpdateServer
let now = Date.now()
/** Whether key lookups fail. */
let silent = false
beforeAll(async () => {
  server = await openUpdateServer({
    limits: { keyCheckMs: 50 },
    clock: () => now,
    deps: {
      apiKeys: {
        lookup: (key) =>
          silent ? Promise.reject(new Error('no answer')) : server.store.apiKeys.lookup(key),
      },
    },
  })
})
afterAll(() => server.close())

const subscribe = (id: string, task: string) => ({
  type: 'subscribe',
  id,
  method: `${defaultBrand.topicPrefix}${task}`,
})

describe('a key', () => {
  it('sees its own tasks only, and gets the same error for tasks of others and unknown tasks', async () => {
    const other = await server.newKey()
    const client = await server.connect()
    const [foreign, own] = [await server.newTask(other.id), await server.newTask()]
    const nobodys = `0x${'cd'.repeat(32)}`
    const errors = []
    for (const task of [foreign, nobodys])
      errors.push((await client.ask(subscribe(task, task))).error)
    expect(errors[0]).toEqual(errors[1])
    expect(errors[0]).toEqual({ code: -32602, message: 'Unknown task' })
    await client.subscribe(own)
    await server.finish(foreign)
    await server.finish(own)
    await client.ask({ type: 'none', id: 'last' })
    const told = client.heard.filter(({ type }) => type === 'update')
    expect(told.map(({ result }) => (result as { task_id: string }).task_id)).toEqual([own, own])
  })

  it('keeps its tasks when it is rotated', async () => {
    const { id } = await server.newKey()
    const task = await server.newTask(id)
    const { key } = await server.store.apiKeys.rotate(id)
    const client = await server.connect(key)
    expect(await client.subscribe(task)).toEqual(expect.any(String))
  })
})

describe('a key that is no longer valid', () => {
  it.each(['rotated', 'deleted'])(
    'because it was %s ends the connection with the next message',
    async (how) => {
      const patient = await openUpdateServer()
      const client = await patient.connect()
      const task = await patient.newTask()
      const { apiKeys } = patient.store
      await (how === 'rotated' ? apiKeys.rotate(patient.main.id) : apiKeys.delete(patient.main.id))
      expect(await client.ask(subscribe('a', task))).toEqual({
        type: 'error',
        id: 'a',
        error: { code: -32001, message: 'Invalid API key' },
      })
      expect(await client.closed).toEqual({ code: 4001, reason: 'Invalid API key' })
      await patient.close()
    },
  )

  it.each(['rotated', 'deleted', 'expired'])(
    'because it was %s ends idle connections, and no others',
    async (how) => {
      const { id, key } = await server.newKey(['rpc'], new Date(now + 10_000))
      const [quiet, stays] = [await server.connect(key), await server.connect()]
      const { apiKeys } = server.store
      if (how === 'rotated') await apiKeys.rotate(id)
      else if (how === 'deleted') await apiKeys.delete(id)
      else now += 10_000
      expect(await quiet.closed).toMatchObject({ code: 4001 })
      expect(await stays.subscribe(await server.newTask())).toEqual(expect.any(String))
    },
  )

  it('is not assumed while the store is unavailable', async () => {
    const client = await server.connect()
    const task = await server.newTask()
    silent = true
    expect(await client.ask(subscribe('a', task))).toMatchObject({
      error: { code: -32603, message: 'Internal error' },
    })
    // A periodic check of all keys has failed, too.
    const failures = () => server.log.filter((line) => line.includes('no answer')).length
    while (failures() < 3) await new Promise((done) => setTimeout(done, 10))
    silent = false
    expect(await client.subscribe(task)).toEqual(expect.any(String))
  })
})

describe('secrecy', () => {
  it('no key, valid or not, is in the log', async () => {
    const bad = 'key_that_is_not_one_at_all'
    const { key, id } = await server.newKey()
    await server.refusal(`/ws?api_key=${bad}`)
    await server.refusal('/ws', { authorization: `Bearer ${bad}` })
    await server.refusal(`/elsewhere?api_key=${key}`)
    const { socket, closed } = server.dial(`/ws?api_key=${key}`)
    await new Promise((resolve) => socket.once('open', resolve))
    socket.send(Buffer.from(key))
    await closed
    const client = await server.connect(key)
    client.send(`{"${key}`)
    await client.next()
    await server.store.apiKeys.delete(id)
    client.send({ type: key, id: key, method: key })
    await client.closed
    const log = server.log.join('')
    expect(log).toContain('ws open')
    expect(log).toContain('ws refused')
    expect(log).toContain('ws closed')
    for (const secret of [key, bad, key.slice(4), 'api_key']) expect(log).not.toContain(secret)
  })
})
