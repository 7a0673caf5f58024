import { defaultBrand } from 'polgate-protocol/brand.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openUpdateServer, type TestUpdateServer } from './updateServer.fixture.ts'

let server: TestUpdateServer
beforeAll(async () => {
  server = await openUpdateServer()
})
afterAll(() => server.close())

describe('subscribe', () => {
  it('is answered, and followed by the latest state and all later updates in order', async () => {
    const client = await server.connect()
    const id = await server.newTask()
    const method = `${defaultBrand.topicPrefix}${id}`
    const subscribed = await client.ask({ type: 'subscribe', id: 'a', method, params: null })
    expect(subscribed).toEqual({ type: 'subscribed', id: 'a', subscription: expect.any(String) })
    server.publish(id, 'status_update', 10)
    server.publish(id, 'operator_response', 40)
    await server.finish(id)
    const { subscription } = subscribed
    await client.next()
    const events = []
    for (let count = 0; count < 4; count++) events.push(await client.next())
    expect(events.map(({ type, subscription }) => [type, subscription])).toEqual(
      Array.from({ length: 4 }, () => ['update', subscription]),
    )
    expect(
      events.map(({ result }) => {
        const { event, data } = result as { event: string; data: { progress: number } }
        return [event, data.progress]
      }),
    ).toEqual([
      ['status_update', 0],
      ['status_update', 10],
      ['operator_response', 40],
      ['success', 100],
    ])
  })
})
