import { describe, expect, it, type TestContext } from 'vitest'
import { createBaseClient } from '../client/createBaseClient.ts'
import { type Script, startUpdateServer, type UpdateConnection } from '../testing/updateServer.ts'
import { notificationOf, someTask, updateOf } from '../testing/updates.ts'
import { type TaskEvent, type WatchTaskOptions, watchTask } from './watchTask.ts'

/** A client of a server of its own, which ends with the test: the tests run at the same time. */
async function serve(
  { expect, onTestFinished }: TestContext,
  subscribe: Script['subscribe'],
  refuse?: Script['refuse'],
) {
  const server = await startUpdateServer({ subscribe, refuse })
  onTestFinished(() => server.close())
  const client = createBaseClient({ url: server.url, key: 'the-key', brand: 'acme' })
  const gone = () => expect.poll(() => server.open()).toBe(0)
  return { client, server, gone }
}

const aborted = (cause: unknown) => ({ name: 'AbortError', code: 'ABORTED', cause })

async function collect(
  client: ReturnType<typeof createBaseClient>,
  options: Partial<WatchTaskOptions> = {},
): Promise<TaskEvent[]> {
  const events: TaskEvent[] = []
  for await (const event of watchTask(client, { taskId: someTask }, options)) events.push(event)
  return events
}

const accept = (connection: UpdateConnection, { id }: { id: string }) =>
  connection.send({ type: 'subscribed', id, subscription: 's-1' })

const update = (connection: UpdateConnection, ...told: Parameters<typeof updateOf>) =>
  connection.send({ type: 'update', subscription: 's-1', result: updateOf(...told) })

const notify = (connection: UpdateConnection, id: string) =>
  connection.send({ type: 'notification', subscription: 's-1', result: notificationOf(id) })

describe.concurrent('watchTask', () => {
  it('does not connect at once where it is asked to wait longer than a timer can', async (context) => {
    const refusal = { status: 503, headers: { 'retry-after': '99999999' } }
    const { client, server } = await serve(
      context,
      () => {},
      () => refusal,
    )
    const reason = new Error('enough')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 500)
    await expect(collect(client, { signal: controller.signal })).rejects.toMatchObject(
      aborted(reason),
    )
    expect(server.requests).toHaveLength(1)
  })

  it('subscribes with the key in a header and the topic of the brand, and ends with the task', async (context) => {
    const subscriptions: unknown[] = []
    const { client, server, gone } = await serve(context, (connection, message) => {
      subscriptions.push(message)
      accept(connection, message)
      update(connection, 'status_update', 'pending', 0)
      update(connection, 'success', 'success', 100, 8)
      update(connection, 'status_update', 'processing', 50)
    })
    const events = await collect(client)
    expect(events).toMatchObject([
      { type: 'update', event: 'status_update' },
      { type: 'update', event: 'success', data: { progress: 100 } },
    ])
    expect(subscriptions).toMatchObject([
      {
        type: 'subscribe',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        method: `acme.task.${someTask}`,
        params: null,
      },
    ])
    expect(server.requests[0]).toMatchObject({
      url: '/ws',
      headers: { authorization: 'Bearer the-key' },
    })
    await gone()
  })

  it.sequential('waits after a failure for its notification, and yields it once', async (context) => {
    const { client } = await serve(context, (connection, message) => {
      accept(connection, message)
      update(connection, 'failure', 'failed', 100)
      setTimeout(() => {
        notify(connection, 'n-1')
        notify(connection, 'n-1')
      }, 100)
    })
    const before = performance.now()
    expect((await collect(client)).map(({ type }) => type)).toEqual(['update', 'notification'])
    expect(performance.now() - before).toBeLessThan(1_500)
  })

  it('ends after a failure whose notification does not come', async (context) => {
    const { client } = await serve(context, (connection, message) => {
      accept(connection, message)
      update(connection, 'failure', 'failed', 100)
    })
    expect(await collect(client)).toHaveLength(1)
    expect(await collect(client, { lingerMs: 0 })).toHaveLength(1)
  })

  it('lingers after a success, also over a lost connection', async (context) => {
    let connections = 0
    const { client } = await serve(context, (connection, message) => {
      connections += 1
      accept(connection, message)
      update(connection, 'success', 'success', 100)
      if (connections === 1) setTimeout(() => connection.drop(), 50)
      else notify(connection, 'late')
    })
    const events = await collect(client, { lingerMs: 1_500 })
    expect(events.map(({ type }) => type)).toEqual(['update', 'notification'])
  })

  it('reconnects and skips what it has seen, also where another gateway is behind', async (context) => {
    let connections = 0
    const { client } = await serve(context, (connection, message) => {
      connections += 1
      accept(connection, message)
      if (connections === 1) {
        update(connection, 'status_update', 'processing', 10)
        update(connection, 'operator_response', 'processing', 40, 2)
        connection.sendText('{"type":"something new"}')
        setTimeout(() => connection.drop(), 50)
      } else if (connections === 2) {
        update(connection, 'status_update', 'processing', 40, 2)
        update(connection, 'status_update', 'processing', 0, 2)
        setTimeout(() => connection.close(1013), 50)
      } else {
        update(connection, 'operator_response', 'processing', 40, 3)
        update(connection, 'success', 'success', 100, 3)
      }
    })
    const events = await collect(client)
    const seen = events.map((event) => event.type === 'update' && event.data)
    expect(seen.map((data) => data && [data.progress, data.operator_responses.length])).toEqual([
      [10, 0],
      [40, 2],
      [40, 3],
      [100, 3],
    ])
  })

  it('connects again when nothing arrives', async (context) => {
    let connections = 0
    const { client } = await serve(context, (connection, message) => {
      connections += 1
      accept(connection, message)
      update(connection, 'status_update', 'processing', 10)
      if (connections > 1) update(connection, 'success', 'success', 100)
    })
    expect(await collect(client, { idleTimeoutMs: 200 })).toHaveLength(2)
    expect(connections).toBe(2)
  })

  it('waits as long as a refused handshake says', async (context) => {
    const refusals = [{ status: 429, headers: { 'retry-after': '1' } }]
    const { client } = await serve(
      context,
      (connection, message) => {
        accept(connection, message)
        update(connection, 'success', 'success', 100)
      },
      () => refusals.shift(),
    )
    const before = performance.now()
    expect(await collect(client)).toHaveLength(1)
    expect(performance.now() - before).toBeGreaterThanOrEqual(990)
  })

  it.for([
    [{ code: -32602, message: 'Unknown task' }, 'TASK_NOT_FOUND'],
    [{ code: -32602, message: 'Invalid request format: method must be a topic' }, 'INVALID_PARAMS'],
    [{ code: -32001, message: 'Invalid API key' }, 'UNAUTHORIZED'],
    [{ code: -32003, message: 'RpcRead permission required' }, 'FORBIDDEN'],
  ])('throws what the gateway answers to the subscription: %j', async ([error, code], context) => {
    const { client, server, gone } = await serve(context, (connection, { id }) =>
      connection.send({ type: 'error', id, error }),
    )
    await expect(collect(client)).rejects.toMatchObject({ code })
    expect(server.requests).toHaveLength(1)
    await gone()
  })

  it.for([
    [401, 'UNAUTHORIZED'],
    [403, 'FORBIDDEN'],
  ] as const)('throws at once after a handshake with %i', async ([status, code], context) => {
    const { client, server } = await serve(
      context,
      () => {},
      () => ({ status }),
    )
    await expect(collect(client)).rejects.toMatchObject({ code })
    expect(server.requests).toHaveLength(1)
  })

  it('throws when the key becomes invalid', async (context) => {
    const { client } = await serve(context, (connection, message) => {
      accept(connection, message)
      update(connection, 'status_update', 'processing', 10)
      connection.close(4001)
    })
    await expect(collect(client)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it.for<readonly [string, Script['subscribe'], Script['refuse']]>([
    ['refuses', () => {}, () => ({ status: 503 })],
    ['closes', (connection: UpdateConnection) => connection.drop(), undefined],
    ['sends garbage', (connection: UpdateConnection) => connection.sendText('{'), undefined],
    [
      'sends an update without data',
      (connection: UpdateConnection) => connection.send({ type: 'update', result: {} }),
      undefined,
    ],
    ['is silent', () => {}, undefined],
  ])('gives up on a gateway that %s', async ([, subscribe, refuse], context) => {
    const { client, server, gone } = await serve(context, subscribe, refuse)
    const watched = collect(client, { attempts: 3, connectTimeoutMs: 300 })
    await expect(watched).rejects.toMatchObject({ code: 'SUBSCRIPTION_FAILED' })
    expect(server.requests).toHaveLength(3)
    await gone()
  })

  it('is closed by break, by return() during a wait, and by the signal', async (context) => {
    const { client, gone } = await serve(context, (connection, message) => {
      accept(connection, message)
      update(connection, 'status_update', 'processing', 10)
    })
    for await (const _ of watchTask(client, { taskId: someTask })) break
    await gone()

    const watched = watchTask(client, { taskId: someTask })
    await watched.next()
    const waiting = watched.next()
    await watched.return?.()
    await expect(waiting).resolves.toEqual({ done: true, value: undefined })
    await gone()

    const controller = new AbortController()
    const reason = new Error('enough')
    const watching = watchTask(client, { taskId: someTask }, { signal: controller.signal })
    await watching.next()
    const last = watching.next()
    controller.abort(reason)
    await expect(last).rejects.toMatchObject(aborted(reason))
    await expect(watching.next()).resolves.toEqual({ done: true, value: undefined })
    await gone()
    await expect(collect(client, { signal: AbortSignal.abort(reason) })).rejects.toMatchObject(
      aborted(reason),
    )
  })

  it('makes no connection before the iteration, and refuses what is no task id', async (context) => {
    const { client, server } = await serve(context, () => {})
    watchTask(client, { taskId: someTask })
    expect(() => watchTask(client, { taskId: '0x12' })).toThrow('taskId')
    expect(server.requests).toHaveLength(0)
  })

  it.sequential('keeps the latest states for a slow consumer, in bounded memory', async (context) => {
    const { client, gone } = await serve(context, (connection, message) => {
      accept(connection, message)
      for (let at = 0; at < 5_000; at += 1) update(connection, 'status_update', 'processing', at)
      update(connection, 'success', 'success', 5_000)
    })
    const watched = watchTask(client, { taskId: someTask })
    await watched.next()
    await gone()
    const rest: TaskEvent[] = []
    for await (const event of watched) rest.push(event)
    expect(rest.length).toBeLessThanOrEqual(256)
    expect(rest.at(-1)).toMatchObject({ event: 'success' })
  })
})
