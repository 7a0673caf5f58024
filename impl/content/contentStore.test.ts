import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CID } from 'multiformats/cid'
import { create as createDigest } from 'multiformats/hashes/digest'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { gatewaySource } from './blockSource.ts'
import { createContentStore } from './contentStore.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
/** `ipfs add` of the text "hello\n", as the public network names it. */
const helloV0 = 'QmZULkCELmmk5XNfCgTnCyFgAVxBRBXyDHGGMVoLFLiXEN'
const helloNode = Uint8Array.from([10, 12, 8, 2, 18, 6, ...bytesOf('hello\n'), 24, 6])

let directory: string
let server: Server | undefined
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'content-'))
})
afterEach(async () => {
  await rm(directory, { recursive: true })
  server?.close()
})

async function gateway(listener: RequestListener): Promise<string> {
  server = createServer(listener)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A gateway with blocks, by content id; it logs what it was asked for. */
async function gatewayWith(blocks: Map<string, Uint8Array>, asked: string[] = []) {
  const url = await gateway((request, response) => {
    asked.push(request.url ?? '')
    const block = blocks.get(/^\/ipfs\/(\w+)\?format=raw$/.exec(request.url ?? '')?.[1] ?? '')
    if (block) response.end(block)
    else response.writeHead(404).end()
  })
  return gatewaySource(url)
}

const digestOf = (block: Uint8Array) =>
  createDigest(0x12, createHash('sha256').update(block).digest())
const rawId = (block: Uint8Array) => CID.createV1(0x55, digestOf(block))
const dagId = (block: Uint8Array) => CID.createV0(digestOf(block))
const field = (number: number, payload: Uint8Array) =>
  Uint8Array.from([number * 8 + 2, payload.length, ...payload])

/** A UnixFS node of type 2 (file) that only links to others. */
function fileOf(links: CID[]): Uint8Array {
  const nodes = links.map((cid) => field(2, field(1, cid.bytes)))
  return Buffer.concat([...nodes, field(1, Uint8Array.from([8, 2]))])
}

test('what is put is named by its hash, and comes back', async () => {
  const store = createContentStore({ directory })
  const cid = await store.put(bytesOf('hello\n'))
  expect(cid).toBe('bafkreicysg23kiwv34eg2d7qweipxwosdo2py4ldv42nbauguluen5v6am')
  expect(Buffer.from(await store.get(cid)).toString()).toBe('hello\n')
  expect(await readdir(directory)).toEqual([cid])
  expect(await store.block(cid)).toEqual(Buffer.from('hello\n'))
})

test('a file whose bytes were changed on disk is not believed', async () => {
  const store = createContentStore({ directory })
  const cid = await store.put(bytesOf('hello\n'))
  await writeFile(join(directory, cid), 'Hello\n')
  await expect(store.get(cid)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('bytes that do not match'),
  })
  expect(await store.block(cid)).toBeUndefined()
})

test('a content id of version 0 names a node, of which the file is read', async () => {
  const asked: string[] = []
  const source = await gatewayWith(new Map([[helloV0, helloNode]]), asked)
  const store = createContentStore({ directory, sources: [source] })
  expect(Buffer.from(await store.get(helloV0)).toString()).toBe('hello\n')
  // Kept: the second time nobody is asked.
  await store.get(helloV0)
  expect(asked).toEqual([`/ipfs/${helloV0}?format=raw`])
})

test('a file of several blocks is put together in order, each block checked', async () => {
  const leaves = ['one ', 'two ', 'three'].map(bytesOf)
  const inner = fileOf([rawId(leaves[1]!), rawId(leaves[2]!)])
  const root = fileOf([rawId(leaves[0]!), dagId(inner)])
  const blocks = new Map<string, Uint8Array>(leaves.map((leaf) => [rawId(leaf).toString(), leaf]))
  blocks.set(dagId(inner).toString(), inner)
  blocks.set(dagId(root).toString(), root)
  const options = { directory, sources: [await gatewayWith(blocks)] }
  const file = await createContentStore(options).get(dagId(root).toString())
  expect(Buffer.from(file).toString()).toBe('one two three')

  const [leaf] = leaves
  blocks.set(rawId(leaf!).toString(), bytesOf('evil'))
  await rm(directory, { recursive: true })
  const again = createContentStore(options).get(dagId(root).toString())
  await expect(again).rejects.toThrow('do not match')
})

test('a gateway that answers other bytes is passed over for the next', async () => {
  const liar = gatewaySource(await gateway((_request, response) => response.end('other')))
  const honest = { read: async () => bytesOf('hello\n') }
  const cid = 'bafkreicysg23kiwv34eg2d7qweipxwosdo2py4ldv42nbauguluen5v6am'
  const store = createContentStore({ directory, sources: [liar, honest] })
  expect(Buffer.from(await store.get(cid)).toString()).toBe('hello\n')
  const alone = createContentStore({ directory: join(directory, 'other'), sources: [liar] })
  await expect(alone.get(cid)).rejects.toThrow('a source answered bytes that do not match')
})

test('the size is limited, of one block and of all together', async () => {
  const source = gatewaySource(await gateway((_request, response) => response.end('x'.repeat(101))))
  const store = createContentStore({ directory, sources: [source], maxBytes: 100 })
  const cid = rawId(bytesOf('x'.repeat(101))).toString()
  await expect(store.get(cid)).rejects.toThrow('larger than 100 bytes')
  await expect(store.put(new Uint8Array(101))).rejects.toThrow('larger than 100 bytes')

  const leaf = bytesOf('y'.repeat(60))
  await store.put(leaf)
  const root = fileOf([rawId(leaf), rawId(leaf)])
  const twice = await gatewayWith(new Map([[dagId(root).toString(), root]]))
  const small = createContentStore({ directory, sources: [twice], maxBytes: 100 })
  await expect(small.get(dagId(root).toString())).rejects.toThrow('larger than 100 bytes')
})

test('a source that fails is named without its details', async () => {
  const broken = gatewaySource(await gateway((_request, response) => response.writeHead(500).end()))
  const store = createContentStore({ directory, sources: [broken] })
  await expect(store.get(helloV0)).rejects.toThrow(/the gateway 127\.0\.0\.1:\d+ answered 500/)
  const none = createContentStore({ directory })
  await expect(none.get(helloV0)).rejects.toThrow('no source has it')
})

test('a directory is not a file', async () => {
  const node = field(1, Uint8Array.from([8, 1]))
  const source = await gatewayWith(new Map([[dagId(node).toString(), node]]))
  const store = createContentStore({ directory, sources: [source] })
  await expect(store.get(dagId(node).toString())).rejects.toThrow('names a directory or link')
})

test.each([
  ['', 'is not a content id'],
  ['../../etc/passwd', 'is not a content id'],
  ['Qm', 'is not a content id'],
  ['b'.repeat(200), 'too long'],
  ['bafyreihyrpefhacm6kkp4ql6j6udakdit7g3dmkzfriqfykhjw6cad5lrm', 'neither raw bytes nor a file'],
  ['bafkqaaa', 'does not use sha2-256'],
])('%j is refused', async (cid, text) => {
  const store = createContentStore({ directory })
  await expect(store.get(cid)).rejects.toThrow(text)
})
