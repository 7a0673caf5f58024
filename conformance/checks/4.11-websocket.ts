import { decided, decidedEqual } from '../lab/decided.ts'
import { followedNeeds } from '../lab/followedTasks.ts'
import { keyValue, withOwnKey } from '../lab/ownKey.ts'
import { rpcBody, taskParams } from '../lab/requests.ts'
import { sendTaskSubject } from '../lab/subjects.ts'
import type { Opening, UpdateSocket } from '../lab/updateSocket.ts'
import {
  answerTo,
  endOf,
  expectSent,
  followTask,
  openSocket,
  sendTask,
  subscribe,
  topicOf,
  withSocket,
} from '../lab/updates.ts'
import type { Check, Need } from '../runner/check.ts'
import type { CheckContext } from '../runner/context.ts'
import { expectThat } from '../runner/expect.ts'
import { updatesUrl } from '../targets/places.ts'
import type { KeyName } from '../wire/exchange.ts'

/** Sections 4.11 and 5.1: the address of the WebSocket, and which keys may open it. */
const needs = ['websocket', 'key:read'] as const

const outcomeOf = async (opening: Opening): Promise<string | number> => {
  if (opening.kind === 'refused') return opening.status
  if (opening.kind === 'failed') return opening.reason
  await opening.socket.close()
  return 'open'
}

const bearer = (value: string) => ({ headers: { authorization: `Bearer ${value}` } })

type Try = (t: CheckContext) => Parameters<typeof openSocket>[1]

/** The result of a handshake with one fault; with the read key it succeeds. */
const handshake = (
  name: string,
  title: string,
  expected: number | 'open',
  attempt: Try,
  more: readonly Need[] = [],
): Check => ({
  id: `ws.open.${name}`,
  title: `${title}: ${expected === 'open' ? 'it opens' : `refused with ${expected}`}`,
  clauses: ['4.11-03'],
  level: 'may',
  needs: [...needs, ...more],
  twin: 'the read key in the header',
  run: async (t) => {
    await t.twin(async () => {
      const opening = await openSocket(t, bearer(keyValue(t, 'read')))
      expectThat((await outcomeOf(opening)) === 'open', 'the WebSocket', 'open', opening.kind)
    })
    decidedEqual(t, await outcomeOf(await openSocket(t, attempt(t))), expected, title)
  },
})

const withKey =
  (name: KeyName): Try =>
  (t) =>
    bearer(keyValue(t, name))

export const websocketChecks: readonly Check[] = [
  {
    id: 'ws.channel',
    title: 'updates of a sent task arrive on the WebSocket',
    clauses: ['4.11-01', '4.3-14', '6.1-01'],
    level: 'must',
    needs: followedNeeds,
    run: async (t) => {
      await followTask(t, taskParams(t))
    },
  },
  handshake('no-key', 'a handshake without a key', 401, () => ({})),
  handshake('unknown-key', 'a handshake with an unknown key', 401, () =>
    bearer('not-a-key-of-anybody'),
  ),
  handshake('basic', 'a handshake with another scheme', 401, () => ({
    headers: { authorization: 'Basic bm9ib2R5Om5vdGhpbmc=' },
  })),
  handshake('expired-key', 'a handshake with an expired key', 401, withKey('expired'), [
    'key:expired',
  ]),
  handshake('write-key', 'a handshake with a key that has only RpcWrite', 403, withKey('write'), [
    'key:write',
  ]),
  handshake('none-key', 'a handshake with a key that has no permission', 403, withKey('none'), [
    'key:none',
  ]),
  handshake('query', 'a handshake with the key in the query', 'open', (t) => ({
    query: `?api_key=${encodeURIComponent(keyValue(t, 'read'))}`,
  })),
  handshake('query-unknown', 'a handshake with an unknown key in the query', 401, () => ({
    query: '?api_key=not-a-key-of-anybody',
  })),
  handshake('query-empty', 'a handshake with an empty key in the query', 401, () => ({
    query: '?api_key=',
  })),
  {
    id: 'ws.address.plain-get',
    title: 'a plain GET of the WebSocket’s address is 404, like that of any other path',
    clauses: ['4.11-02'],
    level: 'may',
    needs,
    run: async (t) => {
      await withSocket(t, async () => undefined)
      const { pathname } = new URL(updatesUrl(t.target))
      const plain = await t.gateway.send({ method: 'GET', path: pathname, key: 'read' })
      decidedEqual(t, plain.status, 404, 'the status of a plain GET')
      const posted = await t.gateway.send({
        path: pathname,
        key: 'read',
        body: rpcBody(t, 'getSecretsPublicKey', {}),
      })
      decidedEqual(t, posted.status, 404, 'the status of a call there')
    },
  },
  {
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
        decidedEqual(t, outcome, 404, `a handshake at ${path}`)
      }
    },
  },
  {
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
            const { type } = await answerTo(socket, subscribe(socket, topic))
            decidedEqual(t, type, 'subscribed', 'the response before')
          }),
        )
        const open = socket as unknown as UpdateSocket
        subscribe(open, topic)
        const closing = await open.closed(15_000)
        decided(t, closing !== undefined, 'the connection after', 'closed', closing ?? 'open')
      } finally {
        await socket?.close()
      }
    },
  },
  {
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
          const foreign = await answerTo(socket, subscribe(socket, topic))
          const unknownId = `0x${'5e'.repeat(32)}`
          const unknown = await answerTo(socket, subscribe(socket, topicOf(t, unknownId)))
          decidedEqual(t, foreign.type, 'error', 'the response for a task of another key')
          const same =
            JSON.stringify({ ...foreign, id: 0 }).replaceAll(taskId, unknownId) ===
            JSON.stringify({ ...unknown, id: 0 })
          decided(t, same, 'the response for an unknown task', foreign, unknown)
          const heard = socket.frames.length
          decidedEqual(t, heard, 2, 'the number of messages')
        },
        'stranger',
      )
    },
  },
]
