import fc from 'fast-check'
import { character } from 'polgate-lib/testing/character.ts'
import { defaultBrand, wireBrand } from 'polgate-protocol/brand.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openUpdateServer, type TestUpdateServer } from './updateServer.fixture.ts'

let server: TestUpdateServer
beforeAll(async () => {
  server = await openUpdateServer({ limits: { messageBurst: 1e9 } })
})
afterAll(() => server.close())

const topic = (id: string) => `${defaultBrand.topicPrefix}${id}`
const unknown = `0x${'ab'.repeat(32)}`

/** Sends a frame and returns the next message, with any id. */
async function answerTo(client: Client, frame: unknown) {
  client.send(frame)
  return client.next()
}

describe('messages', () => {
  it.each<[string, unknown, number, unknown]>([
    ['what is not JSON', 'subscribe', -32700, null],
    ['an empty frame', '', -32700, null],
    ['a number out of range', '{"id":"a","type":1e999}', -32600, 'a'],
    ['one nested too deeply', `{"id":"a","x":${'['.repeat(500)}${']'.repeat(500)}}`, -32600, 'a'],
    ['a number that is too long', `{"id":1${'0'.repeat(300)}}`, -32600, null],
    ['not an object', [1], -32600, null],
    ['null', 'null', -32600, null],
    ['no type', { id: 'a' }, -32600, 'a'],
    ['another type', { type: 'update', id: 'a' }, -32600, 'a'],
    ['a type of the prototype', { type: 'constructor', id: 'a' }, -32600, 'a'],
    ['an invalid id', { type: 'subscribe', id: {} }, -32600, null],
    ['an id that is too long', { type: 'subscribe', id: 'x'.repeat(257) }, -32600, null],
    ['no method', { type: 'subscribe', id: 'a' }, -32602, 'a'],
    ['an invalid method', { type: 'subscribe', id: 'a', method: 1 }, -32602, 'a'],
    ['no topic', { type: 'subscribe', id: 'a', method: 'svc_createTask' }, -32602, 'a'],
    ['a task id alone', { type: 'subscribe', id: 'a', method: unknown }, -32602, 'a'],
    ['a short task id', { type: 'subscribe', id: 'a', method: topic('0x12') }, -32602, 'a'],
    [
      'a topic with a suffix',
      { type: 'subscribe', id: 'a', method: topic(`${unknown}.x`) },
      -32602,
      'a',
    ],
    [
      'non-empty params',
      { type: 'subscribe', id: 'a', method: topic(unknown), params: { a: 1 } },
      -32602,
      'a',
    ],
    ['an unknown task', { type: 'subscribe', id: 'a', method: topic(unknown) }, -32602, 'a'],
    ['no subscription', { type: 'unsubscribe', id: 'a' }, -32602, 'a'],
    ['one never given', { type: 'unsubscribe', id: 'a', subscription: 'x-1' }, -32602, 'a'],
    ['an id that is a number', { type: 'x', id: 7 }, -32600, 7],
    ['no id', { type: 'x' }, -32600, null],
  ])('are answered with an error: %s', async (_, frame, code, id) => {
    const client = await server.connect()
    const answer = await answerTo(client, frame)
    expect(answer).toMatchObject({ type: 'error', id, error: { code } })
    expect(typeof (answer.error as { message: unknown }).message).toBe('string')
    const task = await server.newTask()
    expect(await client.subscribe(task)).toEqual(expect.any(String))
  })

  it('may omit id and params, and have unknown members', async () => {
    const client = await server.connect()
    const task = await server.newTask()
    client.send({ type: 'subscribe', method: topic(task), extra: true })
    expect(await client.next()).toMatchObject({ type: 'subscribed', id: null })
  })

  it('echo an id beyond the precision of a double', async () => {
    const client = await server.connect()
    const texts: string[] = []
    client.socket.on('message', (data) => texts.push(String(data)))
    await answerTo(client, '{"type":"x","id":12345678901234567890}')
    expect(texts[0]).toContain('"id":12345678901234567890')
  })

  it('are answered in order', async () => {
    const client = await server.connect()
    const task = await server.newTask()
    for (let id = 0; id < 40; id++)
      client.send(id % 2 === 0 ? { type: 'subscribe', id, method: topic(task) } : { type: 'x', id })
    const ids: unknown[] = []
    while (ids.length < 40) {
      const { id, type } = await client.next()
      if (type !== 'update') ids.push(id)
    }
    expect(ids).toEqual(Array.from({ length: 40 }, (_, id) => id))
  })

  it('unsubscribe stops updates, and can be repeated, even after the end of the task', async () => {
    const client = await server.connect()
    const task = await server.newTask()
    const [one, two] = [await client.subscribe(task), await client.subscribe(task)]
    expect(one).not.toBe(two)
    const ask = (subscription: string, id: string) =>
      client.ask({ type: 'unsubscribe', id, subscription })
    expect(await ask(one, 'u1')).toEqual({ type: 'unsubscribed', id: 'u1', subscription: one })
    await server.finish(task)
    expect(await ask(one, 'u2')).toMatchObject({ type: 'unsubscribed' })
    expect(await ask(two, 'u3')).toMatchObject({ type: 'unsubscribed' })
    const finals = client.heard.filter(
      ({ result }) => (result as { event?: string } | undefined)?.event === 'success',
    )
    expect(finals.map(({ subscription }) => subscription)).toEqual([two])
  })

  it('of any text get a response each, and the connection stays open', async () => {
    const task = await server.newTask()
    const json = fc.jsonValue()
    const messageLike = fc.record(
      {
        type: fc.oneof(fc.constantFrom('subscribe', 'unsubscribe', '__proto__'), json),
        id: fc.oneof(fc.string(), fc.double(), json),
        method: fc.oneof(fc.constantFrom(topic(task), topic(unknown), topic('')), json),
        subscription: fc.oneof(fc.string(), json),
        params: json,
      },
      { requiredKeys: [] },
    )
    const frame = fc.oneof(
      fc.string(),
      fc.string({ unit: character }),
      json.map((value) => JSON.stringify(value)),
      messageLike.map((value) => JSON.stringify(value)),
      fc.nat(4000).map((depth) => '['.repeat(depth)),
    )
    const client = await server.connect()
    let before = 0
    let round = 0
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 20 }), async (frames) => {
        for (const text of frames) client.send(text)
        // Follows the responses to all others.
        round += 1
        const last = await client.ask({ type: 'none', id: `the last of round ${round}` })
        expect(last).toMatchObject({ error: { code: -32600 } })
        const answers = client.heard.slice(before).filter(({ type }) => type !== 'update')
        before = client.heard.length
        expect(answers).toHaveLength(frames.length + 1)
        for (const { type, error } of answers) {
          expect(['subscribed', 'error']).toContain(type)
          if (type === 'error')
            expect([-32700, -32600, -32602, -32005]).toContain((error as { code: number }).code)
        }
        expect(client.socket.readyState).toBe(client.socket.OPEN)
      }),
      { numRuns: 200 },
    )
    expect(server.log.join('')).not.toContain('internal error')
  })
})

describe('a topic', () => {
  it('has the prefix of the brand', async () => {
    const branded = await openUpdateServer({ deps: { brand: wireBrand('acme') } })
    const client = await branded.connect()
    const task = await branded.newTask()
    const ask = (id: string, method: string) => client.ask({ type: 'subscribe', id, method })
    expect(await ask('a', `acme.task.${task}`)).toMatchObject({ type: 'subscribed' })
    expect(await ask('b', topic(task))).toMatchObject({ error: { code: -32602 } })
    await branded.close()
  })
})
