import fc from 'fast-check'
import { character } from 'polgate-lib/testing/character.ts'
import { property } from 'polgate-lib/testing/property.ts'
import { networkNames } from 'polgate-protocol/explorer.ts'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { ChainEvent } from '../../store/explorer/chainEvent.ts'
import { openTestExplorer, type TestExplorer } from './explorer.fixture.ts'

/** Any input, over the real store. */
const chainId = 31_337
let explorer: TestExplorer
let get: TestExplorer['get']
let block = 0
beforeAll(async () => {
  explorer = await openTestExplorer()
  get = explorer.but({ queries: explorer.store.explorer }).get
  await mine(40, 6)
})
afterAll(() => explorer?.close())

const hex = (bytes: number, n: number) =>
  `0x${n.toString(16).padStart(bytes * 2, 'a')}` as `0x${string}`
const taskId = (n: number) => hex(32, n)
const policyId = hex(32, 7)
const policyAddress = hex(20, 8)
const newPolicy = (n: number) => hex(20, 0x100 + n)

/** One block per task, and all policies in the first. */
async function mine(tasks: number, policies = 0): Promise<void> {
  const from = block
  const events: ChainEvent[] = []
  const at = (logIndex: number) => ({
    blockNumber: block,
    logIndex,
    transactionHash: hex(32, 0x1000 + block),
  })
  for (let n = 0; n < tasks; n += 1, block += 1) {
    if (n === 0)
      for (let p = 0; p < policies; p += 1)
        events.push({ ...at(p), kind: 'policyDeployed', policy: newPolicy(p), info: {} })
    const id = taskId(block)
    const created = { ...at(policies), kind: 'created' as const, taskId: id }
    events.push({
      ...created,
      policyClient: hex(20, 1),
      sender: hex(20, 2),
      createdBlock: block,
      intent: {},
    })
    if (block % 2 === 0)
      events.push({
        ...at(policies + 1),
        kind: 'responded',
        taskId: id,
        policyId,
        policyAddress,
        evaluationResult: '0x01',
        policyConfig: {},
        policyTaskData: {},
        certificate: {},
      })
  }
  const blocks = Array.from({ length: block - from }, (_, n) => ({
    number: from + n,
    hash: hex(32, 0x2000 + from + n),
    timestamp: 1_700_000_000 + from + n,
  }))
  expect(
    await explorer.store.explorer.append(chainId, { from, to: block - 1, blocks, events }),
  ).toBe(true)
}

/** A part of a request, and whether it is valid. */
type Part<T> = { readonly sent: T; readonly right: boolean }
const right = <T>(arbitrary: fc.Arbitrary<T>) => arbitrary.map((sent) => ({ sent, right: true }))
const wrong = <T>(arbitrary: fc.Arbitrary<T>) => arbitrary.map((sent) => ({ sent, right: false }))
const either = <T>(good: fc.Arbitrary<T>, bad: fc.Arbitrary<T>): fc.Arbitrary<Part<T>> =>
  fc.oneof({ weight: 3, arbitrary: right(good) }, { weight: 1, arbitrary: wrong(bad) })

const anyText = fc.string({ unit: character, maxLength: 80 })
const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
})

const anyCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) =>
      text.replace(/[a-f]/g, (letter, i: number) => (upper[i] ? letter.toUpperCase() : letter)),
    )
const known = (names: readonly string[]) => fc.constantFrom(...names).chain(anyCase)
const malformed = fc.oneof(
  anyText.filter(
    (text) => !/^0x([0-9a-f]{64}|[0-9a-f]{40})$/i.test(text) && !/^\.{0,2}$/.test(text),
  ),
  fc.constantFrom('0x', 'null', '%00', "' or 1=1 --", '__proto__', `0x${'0'.repeat(3_000)}`),
)
const unknown = (bytes: number) =>
  fc.oneof(
    malformed,
    fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((raw) => `0x${toHex(raw)}`),
  )
const toHex = (raw: Uint8Array) => Buffer.from(raw).toString('hex')
const tasks = Array.from({ length: 40 }, (_, n) => taskId(n))
const policies = Array.from({ length: 6 }, (_, n) => newPolicy(n))

const integer = (min: number, max: number) =>
  either<string | undefined>(
    fc.oneof(fc.constant(undefined), fc.integer({ min, max }).map(String)),
    fc.oneof(
      anyText.filter((text) => !/^-?\d+$/.test(text)),
      fc.integer({ max: min - 1 }).map(String),
      fc.bigInt({ min: 10n ** 15n }).map(String),
      ...(max < 1e6 ? [fc.integer({ min: max + 1 }).map(String)] : []),
    ),
  )
const pageQuery = fc.record({
  page: integer(1, 1e12),
  size: integer(1, 100),
  as_of: integer(0, 1e14),
})
const time = fc
  .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString())
const noTime = anyText.filter((text) => !/\d{4}-\d{2}-\d{2}/.test(text))
const window = either<string | undefined>(fc.oneof(fc.constant(undefined), time), noTime)
const statsQuery = fc.record({
  task_window_start: either<string | undefined>(time, fc.oneof(fc.constant(undefined), noTime)),
  task_window_end: window,
  policy_window_start: window,
  policy_window_end: window,
})
const noQuery = fc.constant({} as Record<string, Part<string | undefined>>)

type Asked = {
  readonly path: (name: string) => string
  readonly name: Part<string>
  /** The response for an unknown name. */
  readonly missing: 404 | 200
  readonly query: Record<string, Part<string | undefined>>
}
const asking = (
  path: (name: string) => string,
  name: fc.Arbitrary<Part<string>>,
  missing: 404 | 200,
  query: fc.Arbitrary<Record<string, Part<string | undefined>>>,
): fc.Arbitrary<Asked> =>
  fc.record({ path: fc.constant(path), name, missing: fc.constant(missing), query })
const noName = right(fc.constant(''))
const asked: fc.Arbitrary<Asked> = fc.oneof(
  asking((id) => `/v1/task/${id}`, either(known(tasks), unknown(32)), 404, noQuery),
  asking(() => '/v1/task', noName, 200, pageQuery),
  asking((address) => `/v1/policy/${address}`, either(known(policies), unknown(20)), 404, noQuery),
  asking(() => '/v1/policy', noName, 200, pageQuery),
  asking(
    (id) => `/v1/policy/id/${id}/task`,
    either(known([policyId]), unknown(32)),
    200,
    pageQuery,
  ),
  asking(
    (address) => `/v1/policy/address/${address}/task`,
    either(known([policyAddress]), unknown(20)),
    200,
    pageQuery,
  ),
  asking(() => '/v1/stats', noName, 200, statsQuery),
)

type KeyName = keyof TestExplorer['keys']
const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<KeyName>('read', 'rpc').map((name) => [name, 200]) },
  { weight: 1, arbitrary: fc.constantFrom<KeyName>('write', 'none', 'admin').map((n) => [n, 403]) },
  { weight: 1, arbitrary: fc.constant(['expired', 401]) },
  { weight: 1, arbitrary: headerText.map((text) => [`text ${text}`, 401]) },
  { weight: 1, arbitrary: fc.constant(['', 401]) },
) as fc.Arbitrary<[string, number]>
const network = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(undefined, 'testnet').map((sent) => [sent, 'testnet']) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...networkNames.slice(1)).map((sent) => [sent, 'empty']),
  },
  {
    weight: 1,
    arbitrary: headerText
      .filter((text) => !(networkNames as readonly string[]).includes(text.trim()))
      .map((sent) => [sent, 'none']),
  },
) as fc.Arbitrary<[string | undefined, 'testnet' | 'empty' | 'none']>

describe('any combination of id, address, header and query', () => {
  property({ asked, key, network, bearer: fc.boolean() }, { numRuns: 400 })(
    'gets the response of the specification',
    async ({ asked, key: [keyName, keyStatus], network: [sent, shown], bearer }) => {
      const text = keyName.startsWith('text ')
        ? keyName.slice(5)
        : (explorer.keys[keyName as KeyName] ?? '')
      const query = new URLSearchParams()
      for (const [name, { sent: value }] of Object.entries(asked.query))
        if (value !== undefined) query.append(name, value)
      const path = `${asked.path(encodeURIComponent(asked.name.sent))}?${query}`
      const { status, body } = await get(path, {
        ...(bearer ? { authorization: `Bearer ${text}` } : { 'x-api-key': text }),
        ...(sent === undefined ? {} : { 'x-protocol-network': sent }),
      })
      const there = asked.name.right && shown === 'testnet'
      const expected =
        keyStatus !== 200
          ? keyStatus
          : shown === 'none'
            ? 400
            : Object.values(asked.query).some((each) => !each.right)
              ? 422
              : there
                ? 200
                : asked.missing
      expect(status).toBe(expected)
      if (status !== 200) expect(Object.keys(body)).toEqual(['detail'])
      else if ('page' in asked.query) {
        const { total, page, size, results } = body
        const of = (name: string, otherwise: number) => Number(asked.query[name]?.sent ?? otherwise)
        expect([page, size]).toEqual([of('page', 1), of('size', 10)])
        if (!there) expect(total).toBe(0)
        expect(total).toBeLessThanOrEqual(of('as_of', 1e15))
        expect(results).toHaveLength(Math.max(0, Math.min(size, total - (page - 1) * size)))
      }
    },
  )

  const anySegment = anyText.map((text) => encodeURIComponent(text))
  property(
    {
      segments: fc.array(
        fc.oneof(anySegment, fc.constantFrom('v1', 'task', 'policy', 'id', 'stats')),
        {
          maxLength: 6,
        },
      ),
      query: anyText,
      method: fc.constantFrom('GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE'),
      headers: fc.dictionary(
        fc.constantFrom('authorization', 'x-api-key', 'x-protocol-network', 'accept', 'origin'),
        headerText,
      ),
      authorised: fc.boolean(),
    },
    { numRuns: 400 },
  )('never causes an internal error', async ({ segments, query, method, headers, authorised }) => {
    const response = await explorer.app.request(`/${segments.join('/')}?${encodeURI(query)}`, {
      method,
      headers: { ...headers, ...(authorised ? { 'x-api-key': explorer.keys.read } : {}) },
    })
    expect([200, 400, 401, 403, 404, 405, 422]).toContain(response.status)
  })
})

describe('pages', () => {
  const lists = ['/v1/task', '/v1/policy', `/v1/policy/id/${policyId}/task`]
  type Row = { readonly id?: string; readonly address?: string }
  const rowsOf = async (list: string): Promise<Row[]> =>
    (await get(`${list}?size=100`)).body.results

  property(
    { list: fc.constantFrom(...lists), size: fc.integer({ min: 1, max: 25 }) },
    { numRuns: 20 },
  )(
    'joined by their links, are the list as of the first page, whatever arrives meanwhile',
    async ({ list, size }) => {
      const before = await rowsOf(list)
      const joined: Row[] = []
      let next: string | undefined = `?size=${size}`
      while (next !== undefined) {
        const { body, headers, status } = await get(`${list}${next}`)
        expect([status, body.total]).toEqual([200, before.length])
        joined.push(...body.results)
        next = /<([^>]+)>; rel="next"/.exec(headers.get('link')!)?.[1]
        if (block < 90) await mine(1)
      }
      expect(joined).toEqual(before)
    },
  )
})
