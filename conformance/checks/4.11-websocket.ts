import type { Capability, Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import type { KeyName } from '../core/exchange.ts'
import { expectThat } from '../core/expect.ts'
import { observed } from '../kit/assertions/observed.ts'
import { followedNeeds } from '../kit/scenarios/followedTasks.ts'
import { keyValue, withOwnKey } from '../kit/scenarios/ownKey.ts'
import { rpcBody, taskParams } from '../kit/scenarios/requests.ts'
import { sendTaskSubject } from '../kit/scenarios/subjects.ts'
import {
  answerIfAny,
  endOf,
  expectSent,
  followTask,
  openSocket,
  sendTask,
  subscribe,
  topicOf,
  withSocket,
} from '../kit/scenarios/updates.ts'
import { updatesUrl } from '../targets/places.ts'
import type { Opening, UpdateSocket } from '../wire/updateSocket.ts'

/** Sections 4.11 and 5.1: the address of the WebSocket, and which keys may open it. */
const needs = ['websocket', 'key:read'] as const

async function outcomeOf(opening: Opening): Promise<string | number> {
  if (opening.kind === 'refused') return opening.status
  if (opening.kind === 'failed') return opening.reason
  await opening.socket.close()
  return 'open'
}

const bearer = (value: string) => ({ headers: { authorization: `Bearer ${value}` } })

type Try = (t: CheckContext) => Parameters<typeof openSocket>[1]

type Handshake = {
  readonly id: string
  readonly what: string
  /** What the reference makes of it. */
  readonly outcome: string
  readonly attempt: Try
  readonly more?: readonly Capability[]
}

/** The result of a handshake with one fault; with the read key it succeeds. */
const handshake = ({ id, what, outcome, attempt, more = [] }: Handshake): Check => ({
  id,
  title: `${what}: ${outcome}`,
  clauses: ['4.11-03'],
  level: 'may',
  needs: [...needs, ...more],
  twin: 'the read key in the header',
  run: async (t) => {
    await t.twin(async () => {
      const opening = await openSocket(t, bearer(keyValue(t, 'read')))
      expectThat((await outcomeOf(opening)) === 'open', 'the WebSocket', 'open', opening.kind)
    })
    observed(t, 'handshake', what, await outcomeOf(await openSocket(t, attempt(t))))
  },
})

const withKey =
  (name: KeyName): Try =>
  (t) =>
    bearer(keyValue(t, name))

export const websocketChecks: readonly Check[] = [
  {
    // 4.11-01: Updates for sendTask are delivered on a WebSocket.
    // 4.3-14: Updates of the task arrive over the WebSocket; the last one has the attested result.
    // 6.1-01: {type: subscribe, id, method: <topic>, params: null} subscribes.
    id: 'ws.channel',
    title: 'updates of a sent task arrive on the WebSocket',
    clauses: ['4.11-01', '4.3-14', '6.1-01'],
    level: 'must',
    needs: followedNeeds,
    run: async (t) => {
      await followTask(t, taskParams(t))
    },
  },
  handshake({
    // 4.11-03: How a WebSocket connection is authenticated.
    id: 'ws.open.no-key',
    what: 'a handshake without a key',
    outcome: 'refused with 401',
    attempt: () => ({}),
  }),
  handshake({
    id: 'ws.open.unknown-key',
    what: 'a handshake with an unknown key',
    outcome: 'refused with 401',
    attempt: () => bearer('not-a-key-of-anybody'),
  }),
  handshake({
    id: 'ws.open.basic',
    what: 'a handshake with another scheme',
    outcome: 'refused with 401',
    attempt: () => ({ headers: { authorization: 'Basic bm9ib2R5Om5vdGhpbmc=' } }),
  }),
  handshake({
    id: 'ws.open.expired-key',
    what: 'a handshake with an expired key',
    outcome: 'refused with 401',
    attempt: withKey('expired'),
    more: ['key:expired'],
  }),
  handshake({
    id: 'ws.open.write-key',
    what: 'a handshake with a key that has only RpcWrite',
    outcome: 'refused with 403',
    attempt: withKey('write'),
    more: ['key:write'],
  }),
  handshake({
    id: 'ws.open.none-key',
    what: 'a handshake with a key that has no permission',
    outcome: 'refused with 403',
    attempt: withKey('none'),
    more: ['key:none'],
  }),
  handshake({
    id: 'ws.open.query',
    what: 'a handshake with the key in the query',
    outcome: 'it opens',
    attempt: (t) => ({ query: `?api_key=${encodeURIComponent(keyValue(t, 'read'))}` }),
  }),
  handshake({
    id: 'ws.open.query-unknown',
    what: 'a handshake with an unknown key in the query',
    outcome: 'refused with 401',
    attempt: () => ({ query: '?api_key=not-a-key-of-anybody' }),
  }),
  handshake({
    id: 'ws.open.query-empty',
    what: 'a handshake with an empty key in the query',
    outcome: 'refused with 401',
    attempt: () => ({ query: '?api_key=' }),
  }),
  {
    // 4.11-02: The address of the WebSocket, and the response to other requests there.
    id: 'ws.address.plain-get',
    title: 'a plain GET of the WebSocket’s address is 404, like that of any other path',
    clauses: ['4.11-02'],
    level: 'may',
    needs,
    run: async (t) => {
      await withSocket(t, async () => undefined)
      const { pathname } = new URL(updatesUrl(t.target))
      const plain = await t.gateway.send({ method: 'GET', path: pathname, key: 'read' })
      observed(t, 'get-status', 'the status of a plain GET', plain.status)
      const posted = await t.gateway.send({
        path: pathname,
        key: 'read',
        body: rpcBody(t, 'getSecretsPublicKey', {}),
      })
      observed(t, 'post-status', 'the status of a call there', posted.status)
    },
  },
  {
    // 4.11-02: The address of the WebSocket, and the response to other requests there.
    id: 'ws.address.elsewhere',
    title: 'a WebSocket opens only at its address',
    clauses: ['4.11-02'],
    level: 'may',
    needs,
    twin: 'the same handshake at its address',
    run: async (t) => {
      const key = bearer(keyValue(t, 'read'))
      await t.twin(async () => {
        const opening = await openSocket(t, key)
        expectThat((await outcomeOf(opening)) === 'open', 'the WebSocket', 'open', opening.kind)
      })
      const base = t.target.gatewayUrl.replace(/^http/, 'ws')
      for (const path of ['/', '/rpc', '/ws/', '/ws/rpc', '/WS', '/%77s']) {
        const outcome = await outcomeOf(await openSocket(t, { ...key, address: `${base}${path}` }))
        observed(t, 'handshake', `a handshake at ${path}`, outcome)
      }
    },
  },
  {
    // 4.11-03: How a WebSocket connection is authenticated.
    id: 'ws.key-deleted',
    title: 'a connection whose key is deleted receives nothing more',
    clauses: ['4.11-03'],
    level: 'may',
    needs: [...sendTaskSubject.needs, 'websocket', 'key-control'],
    twin: 'the same subscription before',
    run: async (t) => {
      let socket: UpdateSocket | undefined
      let topic = ''
      try {
        await t.twin(() =>
          withOwnKey(t, async (key) => {
            const opening = await openSocket(t, bearer(keyValue(t, key)))
            expectThat(opening.kind === 'open', 'the WebSocket', 'open', opening.kind)
            socket = opening.socket
            topic = topicOf(t, expectSent(await sendTask(t, taskParams(t), { key })))
            const answer = await answerIfAny(t, 'before', socket, subscribe(socket, topic))
            observed(t, 'before', 'the response before', answer?.type)
          }),
        )
        const open = socket as unknown as UpdateSocket
        subscribe(open, topic)
        const closing = await open.closed(15_000)
        observed(t, 'after', 'the connection after', closing ?? 'open')
      } finally {
        await socket?.close()
      }
    },
  },
  {
    // 4.11-04: Which tasks a key may follow.
    // 6.1-17: The response for a topic of an unknown task, and for a malformed topic.
    id: 'ws.own-tasks',
    title: 'a task of another key is refused like a task that does not exist',
    clauses: ['4.11-04', '6.1-17'],
    level: 'may',
    needs: [...sendTaskSubject.needs, 'websocket', 'key:stranger'],
    twin: 'the same subscription with the key of the task',
    run: async (t) => {
      const taskId = expectSent(await sendTask(t, taskParams(t)))
      const topic = topicOf(t, taskId)
      await t.twin(() =>
        withSocket(t, async (socket) => {
          subscribe(socket, topic)
          await endOf(socket, taskId)
        }),
      )
      await withSocket(
        t,
        async (socket) => {
          const answered = (point: string, to: string) =>
            answerIfAny(t, point, socket, subscribe(socket, to))
          const foreign = await answered('foreign-task', topic)
          const unknownId = `0x${'5e'.repeat(32)}`
          const unknown = await answered('unknown-task', topicOf(t, unknownId))
          observed(t, 'foreign-task', 'the response for a task of another key', foreign?.type)
          const same =
            JSON.stringify({ ...foreign, id: 0 }).replaceAll(taskId, unknownId) ===
            JSON.stringify({ ...unknown, id: 0 })
          observed(t, 'unknown-task', 'the response for an unknown task', unknown, {
            same,
            foreign,
          })
          const heard = socket.frames.length
          observed(t, 'messages', 'the number of messages', heard)
        },
        'stranger',
      )
    },
  },
]
