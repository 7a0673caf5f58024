import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CID } from 'multiformats/cid'
import { create } from 'multiformats/hashes/digest'
import { describe, expect, it } from 'vitest'
import {
  blocksOf,
  bytesOf,
  contentHarness,
  gatewaysAt,
  nodeOf,
  noise,
  textOf,
  unixFs,
} from './content.fixture.ts'
import { blockId, dagPbCodec, keyOf, parseContentId, rawCodec } from './contentId.ts'
import { createContentStore } from './contentStore.ts'
import { unixFsV1 } from './fileLayout.ts'

const bed = contentHarness()

const hello = 'bafkreicysg23kiwv34eg2d7qweipxwosdo2py4ldv42nbauguluen5v6am'
const small = { ...unixFsV1, chunkBytes: 100, maxLinks: 4 }

describe('content that does not match its id', () => {
  it('is reported with its gateway, and not stored', async () => {
    const directory = await bed.directory()
    const liar = await bed.serve((_request, response) => response.end('other'))
    const store = createContentStore({ directory, gateways: gatewaysAt(`${liar}/secret/path/`) })
    await expect(store.get(hello)).rejects.toMatchObject({
      code: 'unavailable',
      message: `the content ${hello} is unavailable: the gateway ${new URL(liar).host} returned bytes that do not match the id`,
    })
    expect(await store.list()).toEqual([])
  })

  it('is detected in any block of a file', async () => {
    const { cid, blocks, all } = blocksOf(noise(1_000), small)
    for (const { cid: part } of all) {
      const wrong = new Map(blocks).set(keyOf(part), bytesOf('evil'))
      const gateways = gatewaysAt(await bed.gatewayWith(wrong))
      const store = createContentStore({ directory: await bed.directory(), gateways })
      await expect(store.get(cid)).rejects.toThrow('returned bytes that do not match the id')
    }
  })
})

describe('limits', () => {
  it('rejects a file that is too large before it is stored', async () => {
    const store = createContentStore({ directory: await bed.directory(), maxBytes: 100 })
    await expect(store.put(new Uint8Array(101))).rejects.toMatchObject({
      code: 'size',
      message: 'the content is larger than 100 bytes',
    })
  })

  it('rejects a large block, and an endless one', async () => {
    const file = noise(101)
    const { cid, blocks } = blocksOf(file)
    const directory = await bed.directory()
    const gateways = gatewaysAt(await bed.gatewayWith(blocks))
    const store = createContentStore({ directory, gateways, maxBytes: 100 })
    await expect(store.get(cid)).rejects.toMatchObject({
      code: 'size',
      retryable: false,
      message: expect.stringContaining('returned more than 100 bytes'),
    })

    const endless = await bed.serve((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      }
      response.on('drain', more)
      more()
    })
    const other = createContentStore({
      directory,
      gateways: gatewaysAt(endless),
      maxBytes: 1024 * 1024,
    })
    await expect(other.get(cid)).rejects.toThrow('returned more than 1 MiB')
  })

  it('rejects a large file at its root, without reading a part', async () => {
    const { cid, blocks } = blocksOf(noise(1_000), small)
    const requests: string[] = []
    const gateways = gatewaysAt(await bed.gatewayWith(blocks, requests))
    const directory = await bed.directory()
    const store = createContentStore({ directory, gateways, maxBytes: 999 })
    await expect(store.get(cid)).rejects.toThrow('the content is larger than 999 bytes')
    expect(requests).toHaveLength(1)
  })

  it('rejects a small tree that expands to a huge file', async () => {
    const directory = await bed.directory()
    const blocks = new Map<string, Uint8Array>()
    const keep = (codec: number, block: Uint8Array) => {
      const cid = blockId(codec, block)
      blocks.set(keyOf(cid), block)
      return cid
    }
    let cid = keep(rawCodec, noise(1_000))
    let bytes = 1_000
    for (let level = 0; level < 5; level += 1) {
      const links = Array(100).fill(cid) as (typeof cid)[]
      const message = unixFs({ blockBytes: links.map(() => bytes) })
      bytes *= 100
      cid = keep(dagPbCodec, nodeOf(message, links))
    }
    const requests: string[] = []
    const gateways = gatewaysAt(await bed.gatewayWith(blocks, requests))
    const store = createContentStore({ directory, gateways })
    await expect(store.get(String(cid))).rejects.toMatchObject({ code: 'size' })
    expect(requests).toHaveLength(1)
  })

  it('rejects a tree of nodes without bytes', async () => {
    const directory = await bed.directory()
    const store = createContentStore({ directory })
    const blocks = new Map<string, Uint8Array>()
    let block = nodeOf(unixFs({ fileBytes: 0 }))
    for (let level = 0; level < 5; level += 1) {
      blocks.set(keyOf(blockId(dagPbCodec, block)), block)
      const links = Array.from({ length: 64 }, () => blockId(dagPbCodec, block))
      block = nodeOf(unixFs({ fileBytes: 0, blockBytes: links.map(() => 0) }), links)
    }
    const cid = blockId(dagPbCodec, block)
    blocks.set(keyOf(cid), block)
    for (const [name, bytes] of blocks) await writeFile(join(directory, name), bytes)
    await expect(store.get(String(cid))).rejects.toThrow('the file has too many blocks')
  })

  it('stops at the limit in a block of links alone', async () => {
    const directory = await bed.directory()
    const links = Array.from({ length: 50_000 }, () => parseContentId(hello))
    const block = nodeOf(unixFs({ blockBytes: links.map(() => 6) }), links)
    const cid = blockId(dagPbCodec, block)
    await writeFile(join(directory, keyOf(cid)), block)
    await expect(createContentStore({ directory }).get(String(cid))).rejects.toThrow(
      'the file has too many blocks',
    )
  })

  it('rejects a part with another size than its parent declares', async () => {
    const leaf = bytesOf('hello\n')
    for (const [said, text] of [
      [7, 'declared with 7 bytes, but has 6'],
      [5, 'returned more than 5 bytes'],
    ] as const) {
      const root = nodeOf(unixFs({ blockBytes: [said] }), [blockId(rawCodec, leaf)])
      const cid = blockId(dagPbCodec, root)
      const directory = await bed.directory()
      await writeFile(join(directory, hello), leaf)
      await writeFile(join(directory, keyOf(cid)), root)
      await expect(createContentStore({ directory }).get(String(cid))).rejects.toThrow(text)
    }
  })
})

describe('anything but a file', () => {
  it.each([
    ['a directory', nodeOf(unixFs({ type: 1 }))],
    ['a sharded directory', nodeOf(unixFs({ type: 5, data: Uint8Array.of(1) }))],
    ['a symbolic link', nodeOf(unixFs({ type: 4, data: bytesOf('/etc/passwd') }))],
    ['metadata', nodeOf(unixFs({ type: 3 }))],
    ['a node of type 77', nodeOf(unixFs({ type: 77 }))],
    ['a block that is not a file', bytesOf('not protobuf at all')],
    ['a block that is not a file', new Uint8Array()],
    ['a block that is not a file', nodeOf(unixFs({ blockBytes: [6, 6] }), [parseContentId(hello)])],
    [
      'a block that is not a file',
      nodeOf(unixFs({ type: 0, blockBytes: [6] }), [parseContentId(hello)]),
    ],
  ])('%s', async (name, block) => {
    const directory = await bed.directory()
    const cid = blockId(dagPbCodec, block)
    await writeFile(join(directory, keyOf(cid)), block)
    await expect(createContentStore({ directory }).get(String(cid))).rejects.toMatchObject({
      code: 'kind',
      retryable: false,
      message: expect.stringContaining(`the content id names ${name}`),
    })
  })

  it('a file with a wrong declared size', async () => {
    const directory = await bed.directory()
    const block = nodeOf(unixFs({ data: bytesOf('hello'), fileBytes: 6 }))
    const cid = blockId(dagPbCodec, block)
    await writeFile(join(directory, keyOf(cid)), block)
    await expect(createContentStore({ directory }).get(String(cid))).rejects.toThrow(
      'the file is declared with 6 bytes, but its parts have 5',
    )
  })

  it.each([
    ['', 'the content id is empty'],
    ['../../etc/passwd', 'is not a content id'],
    ['Qm', 'is not a content id'],
    [`ipfs://${hello}`, 'is not a content id'],
    ['b'.repeat(200), 'too long'],
    ['bafyreihyrpefhacm6kkp4ql6j6udakdit7g3dmkzfriqfykhjw6cad5lrm', 'names dag-cbor data'],
    ['bafzaajaiaejcbkr6ksobmecb5aopnnr7nmaqeelmvj35u6e4hj7wmuvfyyvwmdem', 'names a key'],
    // blake2b-256, and sha2-256 truncated to four bytes.
    ['bafykbzacea7rxlhsdnw4gfmjmgcogdxk4jmvubnaffxuuorf44uelkffhnjx4', 'does not use sha2-256'],
    ['bafkreblmwnwv6', 'is not a content id'],
  ])('%j is rejected', async (cid, text) => {
    const store = createContentStore({ directory: await bed.directory() })
    await expect(store.get(cid)).rejects.toThrow(text)
  })

  it('a truncated hash, which can be forged', async () => {
    const cid = CID.createV1(rawCodec, create(0x12, Uint8Array.of(1, 2, 3, 4)))
    const store = createContentStore({ directory: await bed.directory() })
    await expect(store.get(String(cid))).rejects.toThrow('has a truncated hash')
  })

  it('sha2-512 is supported', async () => {
    const cid = CID.createV1(rawCodec, create(0x13, createHash('sha512').update('hi').digest()))
    const gateways = gatewaysAt(await bed.gatewayWith(new Map([[keyOf(cid), bytesOf('hi')]])))
    const store = createContentStore({ directory: await bed.directory(), gateways })
    expect(textOf(await store.get(String(cid)))).toBe('hi')
  })
})
