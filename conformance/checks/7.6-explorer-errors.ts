import { networkNames } from 'polgate-protocol/explorer.ts'
import {
  anyHeaderValue,
  anyIdLike,
  anyQuery,
  isWholeId,
  type Length,
} from '../arbitraries/explorerRequest.ts'
import type { Answer } from '../core/answer.ts'
import { type Check, lastPart } from '../core/check.ts'
import type { KeyHeader } from '../core/exchange.ts'
import { expectThat, isObject, show } from '../core/expect.ts'
import { observed } from '../kit/assertions/observed.ts'
import { checkProperty } from '../kit/assertions/property.ts'
import { shownAnswer } from '../kit/assertions/shownAnswer.ts'
import { ask, expectDetail, expectInvalid, explorerNeeds } from '../kit/scenarios/explorer.ts'
import { acceptedList } from '../kit/scenarios/explorerLists.ts'

/** Section 7.6: errors of the explorer for any request. */
const twin = 'the list of tasks'
const notFound = { task: 'Task not found.', policy: 'Policy Template not found.' } as const

/** The response has one of these statuses, and is JSON with a detail if it is an error. */
function expectOneOf(answer: Answer, statuses: readonly number[]): void {
  const seen = shownAnswer(answer)
  expectThat(statuses.includes(answer.status), 'the HTTP status', statuses.join(' or '), seen)
  if (answer.status === 200) return
  const told = isObject(answer.json) && answer.json.detail !== undefined
  expectThat(told, 'the body', 'an object with detail', seen)
}

type Place = {
  readonly id: string
  readonly path: (id: string) => string
  readonly length: Length
  /** The error for a well-formed but unknown id; lists have none. */
  readonly unknown?: string
  readonly clauses: readonly string[]
}

const places: readonly Place[] = [
  {
    // 7.6-10: Whatever id, address, header or query is sent, the response has one of the statuses
    //   of this section.
    // 7.6-01: The body of an error is {detail: <message>}.
    // 7.6-06: 404 "Task not found." for a task that is unknown on the network.
    // 4.12-21: A task that the indexer has not seen on the network is 404.
    id: 'explorer.any.task-id',
    path: (id) => `/task/${id}`,
    length: 32,
    unknown: notFound.task,
    clauses: ['7.6-06', '4.12-21'],
  },
  {
    // 7.6-10: Whatever id, address, header or query is sent, the response has one of the statuses
    //   of this section.
    // 7.6-01: The body of an error is {detail: <message>}.
    // 7.6-07: 404 "Policy Template not found." for a policy that is unknown on the network.
    // 4.12-22: An address without a policy on the network is 404.
    id: 'explorer.any.policy-address',
    path: (id) => `/policy/${id}`,
    length: 20,
    unknown: notFound.policy,
    clauses: ['7.6-07', '4.12-22'],
  },
  {
    // 7.6-10: Whatever id, address, header or query is sent, the response has one of the statuses
    //   of this section.
    // 7.6-01: The body of an error is {detail: <message>}.
    id: 'explorer.any.list-policy-id',
    path: (id) => `/policy/id/${id}/task`,
    length: 32,
    clauses: [],
  },
  {
    id: 'explorer.any.list-policy-address',
    path: (id) => `/policy/address/${id}/task`,
    length: 20,
    clauses: [],
  },
]

/**
 * A path that is not a URI, or contains a zero byte: a server, or a proxy before it, may reject
 * such a request with 400 and its own text before the id is parsed (RFC 9112, section 3.2).
 */
const isNoUri = (path: string) => /%(?![0-9a-f]{2})|%00/i.test(path)

/**
 * A server may read an escaped slash as one before it looks for the path (RFC 3986, section 6.2.2): the
 * response to another path is open (clause 4.12-33).
 */
const isOtherPath = (path: string) => /%2f/i.test(path)

const anyId = ({ id, path, length, unknown, clauses }: Place): Check => ({
  id,
  title: `any ${lastPart(id).replaceAll('-', ' ')} is answered as specified, never with a 5xx`,
  clauses: ['7.6-10', '7.6-01', ...clauses],
  level: 'must',
  needs: explorerNeeds,
  twin,
  run: async (t) => {
    await t.twin(() => acceptedList(t))
    await checkProperty(t, 'ids', anyIdLike(length), { runs: 60 }, async (drawn) => {
      const answer = await ask(t, path(drawn))
      if (isNoUri(drawn) && answer.status === 400) return
      if (isOtherPath(drawn) && answer.status === 404) return
      if (unknown !== undefined && isWholeId(drawn, length)) expectDetail(answer, 404, unknown)
      else expectOneOf(answer, unknown === undefined ? [200, 404, 422] : [404, 422])
    })
  },
})

const unknownItem = (id: string, kind: 'task' | 'policy'): Check => ({
  id,
  title: `an unknown ${kind} is 404, ${notFound[kind]}`,
  clauses: kind === 'task' ? ['7.6-06', '4.12-21', '7.6-01'] : ['7.6-07', '4.12-22', '7.6-01'],
  level: 'must',
  needs: explorerNeeds,
  twin,
  run: async (t) => {
    await t.twin(() => acceptedList(t))
    const bytes = kind === 'task' ? 32 : 20
    for (const byte of ['00', '5e', 'ff', 'Ab'])
      expectDetail(await ask(t, `/${kind}/0x${byte.repeat(bytes)}`), 404, notFound[kind])
  },
})

const malformed = (bytes: number): Readonly<Record<string, string>> => ({
  'an id without 0x': '5e'.repeat(bytes),
  'an id that is too short': `0x${'5e'.repeat(bytes - 1)}`,
  'an id that is too long': `0x${'5e'.repeat(bytes + 1)}`,
  'an id with a letter that is not a hex digit': `0x${'5g'.repeat(bytes)}`,
  'a word': 'nobody',
  'a number': '1',
  'an escaped slash': '..%2F..%2Fetc',
  'a zero byte': '%00',
  'an invalid escape': '%zz',
})

const anyQueryOf = (
  id: string,
  name: string,
  path: string,
  parameters: readonly string[],
): Check => ({
  id,
  title: `any query of ${name} is served or is 422, never a 5xx`,
  clauses: ['7.6-10', '7.6-08'],
  level: 'must',
  needs: explorerNeeds,
  twin,
  run: async (t) => {
    await t.twin(() => acceptedList(t))
    await checkProperty(t, 'queries', anyQuery(parameters), { runs: 60 }, async (query) => {
      expectOneOf(await ask(t, path, { query }), [200, 422])
    })
  },
})

/** The case of a name and blanks around it are open. */
const mayBeName = (value: string) =>
  (networkNames as readonly string[]).includes(value.trim().toLowerCase())

const anyNetwork: Check = {
  // 7.6-02: 400 "Invalid protocol network header" where the network header is not one of the four
  //   names.
  // 7.6-10: Whatever id, address, header or query is sent, the response has one of the statuses of
  //   this section.
  // 4.12-02: The header X-Protocol-Network selects the network: testnet, base-sepolia, mainnet or
  //   base.
  id: 'explorer.any.header-network',
  title: 'any value of the network header other than the four names is refused with 400',
  clauses: ['7.6-02', '7.6-10', '4.12-02'],
  level: 'must',
  needs: explorerNeeds,
  twin,
  run: async (t) => {
    await t.twin(() => acceptedList(t))
    await checkProperty(t, 'values', anyHeaderValue(), { runs: 60 }, async (network) => {
      const answer = await ask(t, '/task', { network })
      if (mayBeName(network)) expectOneOf(answer, [200, 400])
      else expectDetail(answer, 400, 'Invalid protocol network header')
    })
  },
}

const anyKeyHeader = (id: string, name: KeyHeader): Check => ({
  id,
  title: `any value of the header ${name} that is not a key is rejected with 401`,
  clauses: ['7.6-10', '7.6-04', '5.6-01'],
  level: 'must',
  needs: explorerNeeds,
  twin,
  run: async (t) => {
    await t.twin(() => acceptedList(t))
    await checkProperty(t, 'values', anyHeaderValue(), { runs: 40 }, async (header) => {
      const bearer = name === 'authorization' && !/^\s|^bearer\s/i.test(header)
      for (const value of bearer ? [header, `Bearer ${header}`] : [header])
        expectOneOf(await ask(t, '/task', { key: { header: value }, keyHeader: name }), [401])
    })
  },
})

export const explorerErrors: readonly Check[] = [
  // 7.6-06: 404 "Task not found." for a task that is unknown on the network.
  // 4.12-21: A task that the indexer has not seen on the network is 404.
  // 7.6-01: The body of an error is {detail: <message>}.
  unknownItem('explorer.not-found.task', 'task'),
  // 7.6-07: 404 "Policy Template not found." for a policy that is unknown on the network.
  // 4.12-22: An address without a policy on the network is 404.
  // 7.6-01: The body of an error is {detail: <message>}.
  unknownItem('explorer.not-found.policy', 'policy'),
  ...places.map(anyId),
  // 7.6-10: Whatever id, address, header or query is sent, the response has one of the statuses of
  //   this section.
  // 7.6-08: 422 for an invalid value, such as a size outside 1 to 100.
  anyQueryOf('explorer.any.query-tasks', 'tasks', '/task', ['page', 'size']),
  anyQueryOf('explorer.any.query-policies', 'policies', '/policy', ['page', 'size']),
  anyQueryOf('explorer.any.query-stats', 'stats', '/stats', [
    'task_window_start',
    'task_window_end',
    'policy_window_start',
    'policy_window_end',
  ]),
  anyNetwork,
  // 7.6-10: Whatever id, address, header or query is sent, the response has one of the statuses of
  //   this section.
  // 7.6-04: 401 "invalid or expired API key" where the key is wrong, rotated, deleted or expired.
  // 5.6-01: Every request below /v1 needs an API key.
  anyKeyHeader('explorer.any.header-authorization', 'authorization'),
  anyKeyHeader('explorer.any.header-x-api-key', 'x-api-key'),
  {
    // 4.12-26: Whether ids and addresses are matched without regard to case, and the response for
    //   malformed ones.
    id: 'explorer.not-found.observed.malformed',
    title: 'observed: invalid ids and addresses',
    clauses: ['4.12-26'],
    level: 'may',
    needs: explorerNeeds,
    run: async (t) => {
      await acceptedList(t)
      for (const kind of ['task', 'policy'] as const)
        for (const [name, id] of Object.entries(malformed(kind === 'task' ? 32 : 20))) {
          const answer = await ask(t, `/${kind}/${id}`)
          observed(t, 'status', `${name} as ${kind}`, answer.status)
        }
      for (const path of ['/policy/id/nobody/task', '/policy/address/nobody/task']) {
        const { status, json } = await ask(t, path)
        t.observe(`${path}: HTTP ${status} ${show(json)}`)
      }
    },
  },
  {
    // 7.6-11: The body of a 422.
    id: 'explorer.invalid.observed.body',
    title: 'observed: the body of a 422',
    clauses: ['7.6-11'],
    level: 'may',
    needs: explorerNeeds,
    run: async (t) => {
      await acceptedList(t)
      const detail = expectInvalid(await ask(t, '/task', { query: { page: 'abc', size: 101 } }))
      const known =
        Array.isArray(detail) &&
        detail.length === 2 &&
        detail.every(
          (item) =>
            isObject(item) &&
            typeof item.type === 'string' &&
            Array.isArray(item.loc) &&
            item.loc[0] === 'query' &&
            typeof item.msg === 'string' &&
            'input' in item,
        )
      observed(t, 'detail', 'the detail of two wrong values', detail, { knownForm: known })
      if (!known) return
      const named = (detail as { loc: unknown[]; input: unknown }[])
        .map(({ loc, input }) => `${loc[1]}=${input}`)
        .sort()
      observed(t, 'named', 'what it names', named)
    },
  },
  {
    // 7.6-12: Which error is returned for a request with several.
    id: 'explorer.observed.precedence',
    title: 'observed: which error is reported for a request that has several',
    clauses: ['7.6-12'],
    level: 'may',
    needs: explorerNeeds,
    run: async (t) => {
      await acceptedList(t)
      const id = `/task/0x${'5e'.repeat(32)}`
      const query = { size: 101 }
      const order = [
        await ask(t, '/task', { key: null, network: 'nowhere', query }),
        await ask(t, '/task', { network: 'nowhere', query }),
        await ask(t, id, { network: 'nowhere' }),
        await ask(t, '/task', { key: null, query }),
      ].map(({ status }) => status)
      observed(
        t,
        'statuses',
        'no key, network and size; network and size; network and id; no key and size',
        order,
      )
    },
  },
]
