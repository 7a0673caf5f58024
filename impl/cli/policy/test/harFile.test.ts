import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { harWithoutSecrets } from './harFile.ts'
import { loadMocks } from './loadMocks.ts'
import { mockTable } from './mockTable.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-har-'))
  await writeFile(join(directory, 'mocks.yaml'), 'exchanges: [saved.har]\n')
})
afterAll(() => rm(directory, { recursive: true }))

const entry = (url: string, status: number, content: object, more: object = {}) => ({
  startedDateTime: '2026-01-01T00:00:00Z',
  request: {
    method: 'GET',
    url,
    headers: [{ name: 'authorization', value: 'Bearer hush' }],
    cookies: [{ name: 'session', value: 'hush' }],
    ...more,
  },
  response: {
    status,
    headers: [
      { name: 'Content-Type', value: 'application/json' },
      { name: 'Content-Encoding', value: 'gzip' },
      { name: 'Set-Cookie', value: 'session=hush' },
    ],
    content,
  },
})
const har = {
  log: {
    version: '1.2',
    entries: [
      entry('https://api.example.com/v1/a', 200, { text: '{"n":1}' }),
      entry('https://api.example.com/v1/a', 200, { text: '{"n":2}' }),
      entry('https://api.example.com/v1/b', 404, { text: 'bm8=', encoding: 'base64' }),
      entry('https://api.example.com/v1/c', 0, {}),
      entry(
        'https://api.example.com/v1/d',
        201,
        { text: 'posted' },
        {
          method: 'POST',
          postData: { mimeType: 'text/plain', text: 'body' },
        },
      ),
    ],
  },
}
const save = (value: unknown) =>
  writeFile(join(directory, 'saved.har'), typeof value === 'string' ? value : JSON.stringify(value))
const load = () => loadMocks(join(directory, 'mocks.yaml'), new Map())

test('mocks answer as an HTTP archive was saved, with decoded bodies, and not for other requests', async () => {
  await save(har)
  const table = mockTable(await load())
  const reply = (method: string, path: string, body = '') =>
    table.reply({
      method,
      url: new URL(`https://api.example.com/v1/${path}`),
      headers: {},
      body,
      json: () => null,
    })
  const text = (method: string, path: string, body?: string) => {
    const found = reply(method, path, body)
    return found && [found.status, found.body && Buffer.from(found.body).toString()]
  }
  expect(table.hosts).toEqual(['api.example.com'])
  // One after the other; the last one stays.
  for (const n of [1, 2, 2]) expect(text('GET', 'a')).toEqual([200, `{"n":${n}}`])
  expect(text('GET', 'b')).toEqual([404, 'no'])
  expect(text('GET', 'c')).toEqual([0, undefined])
  expect(text('POST', 'd', 'body')).toEqual([201, 'posted'])
  expect(text('POST', 'd', 'other')).toBeUndefined()
  expect(text('GET', 'e')).toBeUndefined()
  expect(reply('GET', 'a')?.headers).toEqual({ 'Content-Type': 'application/json' })
})

test('a copy has no key or cookie, and answers the same', async () => {
  await save(har)
  const { text, leftOut } = await harWithoutSecrets(join(directory, 'saved.har'))
  expect(text).not.toContain('hush')
  expect(leftOut).toEqual([])
  const before = await load()
  await save(text)
  expect(await load()).toEqual(before)
})

test('exchanges with a possible key in the URL or in a body are left out of a copy, and said', async () => {
  const key = 'q7Zt3Kd92mXw81LpBv50'
  const post = (body: string) => ({ method: 'POST', postData: { text: body } })
  const entries = [
    entry(`https://api.example.com/v1/a?api_key=${key}`, 200, { text: '1' }),
    entry('https://api.example.com/v1/a', 200, { text: '2' }),
    entry('https://api.example.com/v1/a', 200, { text: '3' }, post(JSON.stringify({ token: key }))),
  ]
  await save({ log: { version: '1.2', entries } })
  const { text, leftOut } = await harWithoutSecrets(join(directory, 'saved.har'))
  expect(JSON.parse(text).log.entries).toHaveLength(1)
  expect(leftOut).toEqual([
    expect.stringMatching(/^entry 1 is left out: .*the parameter api_key of a URL$/),
    expect.stringMatching(/^entry 3 is left out: .*possible credential/),
  ])
  expect(`${text}${leftOut}`).not.toContain(key)
})

test.each([
  ['{', 'is not JSON'],
  [{ log: {} }, 'is not an HTTP archive'],
  [{ log: { entries: [entry('ftp://x/', 200, {})] } }, '/log/entries/0/request/url'],
  [{ log: { entries: [entry('https://x/', 700, {})] } }, '/log/entries/0/response/status'],
])('%j is refused', async (value, text) => {
  await save(value)
  await expect(load()).rejects.toThrow(text)
})
