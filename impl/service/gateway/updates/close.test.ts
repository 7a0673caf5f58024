import { describe, expect, it } from 'vitest'
import { openUpdateServer } from './updateServer.fixture.ts'

describe('close', () => {
  it('closes client connections with 1001, then the listener has none left', async () => {
    const server = await openUpdateServer()
    const clients = await Promise.all([server.connect(), server.connect()])
    await clients[0]?.subscribe(await server.newTask())
    await Promise.all([server.server.close(), server.server.close()])
    for (const client of clients) expect(await client.closed).toMatchObject({ code: 1001 })
    expect(server.server.counts()).toEqual({ connections: 0, subscriptions: 0, tasks: 0 })
    const headers = { authorization: `Bearer ${server.main.key}` }
    expect(await server.refusal('/ws', headers)).toMatchObject({ status: 503 })
    await server.close()
  })

  it('does not wait for a client that does not answer', async () => {
    const server = await openUpdateServer({ limits: { closeMs: 100 } })
    const client = await server.connect()
    client.socket.pause()
    const began = performance.now()
    await server.server.close()
    expect(performance.now() - began).toBeLessThan(5_000)
    await server.close()
  })

  it('allows only one handler of upgrades', async () => {
    const server = await openUpdateServer()
    expect(() => server.server.attach(server.listener.server)).toThrow('upgrade handler')
    await server.close()
  })
})
