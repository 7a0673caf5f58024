import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { type FixtureHost, startFixtureHost } from 'polgate-fixtures/host/fixtureHost.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  blocksOf,
  bytesOf,
  contentHarness,
  gatewaysAt,
  nodeOf,
  noise,
  unixFs,
} from './content.fixture.ts'
import { blockId, dagPbCodec, keyOf } from './contentId.ts'
import { type ContentStore, createContentStore } from './contentStore.ts'
import { unixFsV0, unixFsV1 } from './fileLayout.ts'
import { serveContent } from './serveContent.ts'

const bed = contentHarness()
let host: FixtureHost
let directory: string
let store: ContentStore
beforeEach(async () => {
  directory = await bed.directory()
  store = createContentStore({ directory, maxBytes: 3_000_000 })
  host = await startFixtureHost({ ipfs: serveContent(store) })
})
afterEach(() => host.stop())

const get = (path: string, options: RequestInit = {}) => fetch(`${host.url}${path}`, options)
const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer())
/** Sent unchanged: fetch would normalize it. */
const status = (path: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(host.url, { path }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })

const file = noise(2_500_000)

describe('the local stack serves /ipfs/{cid}', () => {
  it('whole files', async () => {
    const cid = await store.put(file)
    const answer = await get(`/ipfs/${cid}`)
    expect(answer.status).toBe(200)
    expect((await bytes(answer)).equals(file)).toBe(true)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(file.length),
      'content-disposition': `attachment; filename="${cid}.bin"`,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'x-ipfs-path': `/ipfs/${cid}`,
      etag: `"${cid}"`,
    })
  })

  it('single blocks, requested by format or by Accept', async () => {
    const { cid, all } = blocksOf(file, unixFsV0)
    await store.put(file, unixFsV0)
    const root = all.at(-1)!.block
    for (const [path, headers] of [
      [`/ipfs/${cid}?format=raw`, {}],
      [`/ipfs/${cid}`, { accept: 'application/vnd.ipld.raw' }],
      [`/ipfs/${cid}?format=raw`, { accept: 'text/html' }],
    ] as const) {
      const answer = await get(path, { headers })
      expect((await bytes(answer)).equals(root)).toBe(true)
      expect(answer.headers.get('content-type')).toBe('application/vnd.ipld.raw')
      expect(answer.headers.get('etag')).toBe(`"${cid}.raw"`)
    }
  })

  it('HEAD requests', async () => {
    const cid = await store.put(bytesOf('hello\n'))
    for (const query of ['', '?format=raw']) {
      const answer = await get(`/ipfs/${cid}${query}`, { method: 'HEAD' })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-length')).toBe('6')
      expect(await answer.text()).toBe('')
    }
  })

  it('304 to conditional requests', async () => {
    const cid = await store.put(bytesOf('hello\n'))
    for (const known of [`"${cid}"`, `W/"${cid}"`, `"other", "${cid}"`, '*']) {
      const answer = await get(`/ipfs/${cid}`, { headers: { 'if-none-match': known } })
      expect(answer.status).toBe(304)
      expect(answer.headers.get('etag')).toBe(`"${cid}"`)
    }
    const other = await get(`/ipfs/${cid}?format=raw`, {
      headers: { 'if-none-match': `"${cid}"` },
    })
    expect(other.status).toBe(200)
  })

  it('the id that probes of gateways use', async () => {
    const answer = await get('/ipfs/bafkqaaa?format=raw')
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })

  it.each([
    ['/ipfs/bafkreicysg23kiwv34eg2d7qweipxwosdo2py4ldv42nbauguluen5v6am', 404],
    ['/ipfs/bafkreicysg23kiwv34eg2d7qweipxwosdo2py4ldv42nbauguluen5v6am?format=raw', 404],
    ['/ipfs/nonsense', 400],
    ['/ipfs/', 400],
    [`/ipfs/${'b'.repeat(5_000)}`, 400],
    ['/ipfs/..%2f..%2fetc%2fpasswd', 400],
    ['/ipfs/%2e%2e/package.json', 404],
    ['/ipfs/../../package.json', 404],
    ['/ipfs/bafyreihyrpefhacm6kkp4ql6j6udakdit7g3dmkzfriqfykhjw6cad5lrm', 406],
    ['/ipfs/bafkqaaa/below', 404],
    ['/ipfs/bafkqaaa/', 200],
    ['/ipfs/bafkqaaa?format=car', 406],
    ['/ipfs/bafkqaaa?format=tar', 406],
  ])('%s: %i', async (path, expected) => {
    expect(await status(path)).toBe(expected)
  })

  it('rejects other methods', async () => {
    const answer = await get('/ipfs/bafkqaaa', { method: 'POST', body: 'x' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('rejects directories as files, but serves their blocks', async () => {
    const block = nodeOf(unixFs({ type: 1 }))
    const cid = blockId(dagPbCodec, block)
    await writeFile(join(directory, keyOf(cid)), block)
    const answer = await get(`/ipfs/${cid}`)
    expect([answer.status, await answer.text()]).toEqual([
      406,
      'the content id names a directory, not a file\n',
    ])
    expect((await bytes(await get(`/ipfs/${cid}?format=raw`))).equals(block)).toBe(true)
  })

  it('rejects files that are too large or altered', async () => {
    const large = await createContentStore({ directory }).put(noise(3_000_001))
    expect((await get(`/ipfs/${large}`)).status).toBe(413)
    const cid = await store.put(bytesOf('hello\n'))
    await writeFile(join(directory, cid), 'Hello\n')
    expect((await get(`/ipfs/${cid}`)).status).toBe(404)
    expect((await get(`/ipfs/${cid}?format=raw`)).status).toBe(404)
  })

  it('limits the files that are joined concurrently', async () => {
    let release = () => {}
    const waiting = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = {
      ...store,
      get: async (cid: string) => {
        await waiting
        return await store.get(cid)
      },
    }
    const answer = serveContent(slow)
    const ask = () => answer(new Request('http://127.0.0.1/ipfs/bafkqaaa'))
    const first = Array.from({ length: 8 }, ask)
    const ninth = await ask()
    expect([ninth.status, ninth.headers.get('retry-after')]).toEqual([503, '1'])
    release()
    expect((await Promise.all(first)).map((each) => each.status)).toEqual(Array(8).fill(200))
    expect((await ask()).status).toBe(200)
  })
})

it.each([
  ['unixfs-v0-2015', unixFsV0],
  ['unixfs-v1-2025', unixFsV1],
])('one store as the gateway of another: %s', async (_name, layout) => {
  const cid = await store.put(file, layout)
  const other = createContentStore({
    directory: await bed.directory(),
    gateways: gatewaysAt(host.url),
  })
  expect(Buffer.from(await other.get(cid)).equals(file)).toBe(true)
  expect(await other.list()).toEqual(await store.list())
})
