import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fc, test as property } from '@fast-check/vitest'
import { base16 } from 'multiformats/bases/base16'
import { base36 } from 'multiformats/bases/base36'
import { base58btc } from 'multiformats/bases/base58'
import { CID } from 'multiformats/cid'
import { create } from 'multiformats/hashes/digest'
import { describe, expect, it } from 'vitest'
import {
  blocksOf,
  bytesOf,
  contentTestBed,
  gatewaysAt,
  nodeOf,
  noise,
  textOf,
  unixFs,
} from './content.fixture.ts'
import { blockId, dagPbCodec, keyOf, parseContentId, rawCodec } from './contentId.ts'
import { createContentStore } from './contentStore.ts'
import { unixFsV0, unixFsV1 } from './fileLayout.ts'

const bed = contentTestBed()

const hello = 'bafkreicysg23kiwv34eg2d7qweipxwosdo2py4ldv42nbauguluen5v6am'
/** `ipfs add` of the same text. */
const helloV0 = 'QmZULkCELmmk5XNfCgTnCyFgAVxBRBXyDHGGMVoLFLiXEN'
const small = { ...unixFsV1, chunkBytes: 100, maxLinks: 4 }

describe('the local store', () => {
  it('names what is put by its hash, and gives it back', async () => {
    const directory = await bed.directory()
    const store = createContentStore({ directory })
    expect(await store.put(bytesOf('hello\n'))).toBe(hello)
    expect(textOf(await store.get(hello))).toBe('hello\n')
    expect(await readdir(directory)).toEqual([hello])
    expect(await store.block(hello)).toEqual(Buffer.from('hello\n'))
    expect(await store.list()).toEqual([{ cid: hello, bytes: 6 }])
  })

  it('gives a file back under any form of its id', async () => {
    const store = createContentStore({ directory: await bed.directory() })
    expect(await store.put(bytesOf('hello\n'), unixFsV0)).toBe(helloV0)
    const cid = parseContentId(helloV0).toV1()
    for (const text of [
      helloV0,
      ...[base16, base36, base58btc].map((base) => cid.toString(base)),
    ]) {
      expect(textOf(await store.get(text))).toBe('hello\n')
    }
  })

  it('reads what an id holds itself', async () => {
    const store = createContentStore({ directory: await bed.directory() })
    expect(textOf(await store.get('bafkqabtimvwgy3yk'))).toBe('hello\n')
    expect((await store.get('bafkqaaa')).length).toBe(0)
    expect(await store.list()).toEqual([])
  })

  it('is whole when two write the same at once', async () => {
    const directory = await bed.directory()
    const file = noise(1_000_000)
    const stores = Array.from({ length: 4 }, () => createContentStore({ directory }))
    const cids = await Promise.all(stores.map((store) => store.put(file, unixFsV0)))
    expect(new Set(cids).size).toBe(1)
    expect(Buffer.from(await createContentStore({ directory }).get(cids[0]!)).equals(file)).toBe(
      true,
    )
    expect(await readdir(directory)).toHaveLength(blocksOf(file, unixFsV0).blocks.size)
  })

  it('says why it cannot be written, without its path', async () => {
    const directory = join(await bed.directory(), 'file')
    await writeFile(directory, '')
    const store = createContentStore({ directory })
    await expect(store.put(bytesOf('x'))).rejects.toMatchObject({
      code: 'storage',
      message: 'the local content store cannot be written: it is no directory',
      hint: expect.stringContaining('directory'),
    })
    await expect(store.get(hello)).rejects.toThrow(
      `the content ${hello} could not be had: the local content store cannot be read: it is no directory`,
    )
  })

  it('gives a file that it cannot keep', async () => {
    const directory = join(await bed.directory(), 'file')
    await writeFile(directory, '')
    const { cid, blocks } = blocksOf(noise(1_000), small)
    const gateways = gatewaysAt(await bed.gatewayWith(blocks))
    const store = createContentStore({ directory, gateways })
    expect(Buffer.from(await store.get(cid)).equals(noise(1_000))).toBe(true)
  })

  it('passes over files that are no blocks', async () => {
    const directory = await bed.directory()
    const store = createContentStore({ directory })
    await store.put(bytesOf('hello\n'))
    await writeFile(join(directory, `${hello}.draft`), 'half')
    await mkdir(join(directory, 'b'.repeat(50)))
    expect(await store.list()).toEqual([{ cid: hello, bytes: 6 }])
  })
})

describe('what was altered on disk', () => {
  it('is not believed', async () => {
    const directory = await bed.directory()
    const store = createContentStore({ directory })
    await store.put(bytesOf('hello\n'))
    await writeFile(join(directory, hello), 'Hello\n')
    await expect(store.get(hello)).rejects.toMatchObject({
      code: 'unavailable',
      retryable: true,
      message: `the content ${hello} could not be had: the local store answered bytes that do not match`,
    })
    expect(await store.block(hello)).toBeUndefined()
  })

  it('is fetched anew and replaced', async () => {
    const directory = await bed.directory()
    const { cid, blocks } = blocksOf(bytesOf('hello\n'))
    await writeFile(join(directory, hello), 'Hello\n')
    const gateways = gatewaysAt(await bed.gatewayWith(blocks))
    const store = createContentStore({ directory, gateways })
    expect(textOf(await store.get(cid))).toBe('hello\n')
    expect(await readFile(join(directory, hello), 'utf8')).toBe('hello\n')
  })

  property.prop(
    {
      file: fc.uint8Array({ minLength: 1, maxLength: 1_500 }),
      layout: fc.record({
        cidVersion: fc.constantFrom(0 as const, 1 as const),
        chunkBytes: fc.integer({ min: 20, max: 600 }),
        maxLinks: fc.integer({ min: 2, max: 8 }),
        rawLeaves: fc.boolean(),
      }),
      which: fc.nat(),
      bit: fc.nat(),
    },
    { numRuns: 60 },
  )('in any bit of any block is found, and refused or fetched anew', async (sample) => {
    const { file, layout, which, bit } = sample
    const directory = await bed.directory()
    const cid = await createContentStore({ directory }).put(file, layout)
    expect(Buffer.from(await createContentStore({ directory }).get(cid)).equals(file)).toBe(true)

    const names = await readdir(directory)
    const path = join(directory, names[which % names.length]!)
    const bytes = await readFile(path)
    bytes[(bit >> 3) % bytes.length]! ^= 1 << (bit & 7)
    await writeFile(path, bytes)
    await expect(createContentStore({ directory }).get(cid)).rejects.toThrow('do not match')

    const gateways = gatewaysAt(await bed.gatewayWith(blocksOf(file, layout).blocks))
    const healed = createContentStore({ directory, gateways })
    expect(Buffer.from(await healed.get(cid)).equals(file)).toBe(true)
    expect(Buffer.from(await createContentStore({ directory }).get(cid)).equals(file)).toBe(true)
  })
})

describe('a content id whose bytes differ', () => {
  it('is told with the gateway that gave them, and nothing is kept', async () => {
    const directory = await bed.directory()
    const liar = await bed.serve((_request, response) => response.end('other'))
    const store = createContentStore({ directory, gateways: gatewaysAt(`${liar}/secret/path/`) })
    await expect(store.get(hello)).rejects.toMatchObject({
      code: 'unavailable',
      message: `the content ${hello} could not be had: the gateway ${new URL(liar).host} answered bytes that do not match`,
    })
    expect(await store.list()).toEqual([])
  })

  it('is found in any block of a file', async () => {
    const { cid, blocks, all } = blocksOf(noise(1_000), small)
    for (const { cid: part } of all) {
      const wrong = new Map(blocks).set(keyOf(part), bytesOf('evil'))
      const gateways = gatewaysAt(await bed.gatewayWith(wrong))
      const store = createContentStore({ directory: await bed.directory(), gateways })
      await expect(store.get(cid)).rejects.toThrow('answered bytes that do not match')
    }
  })
})

describe('limits', () => {
  it('refuses a file that is too large before it is put', async () => {
    const store = createContentStore({ directory: await bed.directory(), maxBytes: 100 })
    await expect(store.put(new Uint8Array(101))).rejects.toMatchObject({
      code: 'size',
      message: 'the content is larger than 100 bytes',
    })
  })

  it('refuses one large block, and one that never ends', async () => {
    const file = noise(101)
    const { cid, blocks } = blocksOf(file)
    const directory = await bed.directory()
    const gateways = gatewaysAt(await bed.gatewayWith(blocks))
    const store = createContentStore({ directory, gateways, maxBytes: 100 })
    await expect(store.get(cid)).rejects.toMatchObject({
      code: 'size',
      retryable: false,
      message: expect.stringContaining('answered more than 100 bytes'),
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
    await expect(other.get(cid)).rejects.toThrow('answered more than 1 MiB')
  })

  it('refuses a large file at its root: no part is asked for', async () => {
    const { cid, blocks } = blocksOf(noise(1_000), small)
    const asked: string[] = []
    const gateways = gatewaysAt(await bed.gatewayWith(blocks, asked))
    const directory = await bed.directory()
    const store = createContentStore({ directory, gateways, maxBytes: 999 })
    await expect(store.get(cid)).rejects.toThrow('the content is larger than 999 bytes')
    expect(asked).toHaveLength(1)
  })

  it('refuses a small tree that unfolds to a huge file', async () => {
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
    const asked: string[] = []
    const gateways = gatewaysAt(await bed.gatewayWith(blocks, asked))
    const store = createContentStore({ directory, gateways })
    await expect(store.get(String(cid))).rejects.toMatchObject({ code: 'size' })
    expect(asked).toHaveLength(1)
  })

  it('refuses a tree of nodes without bytes', async () => {
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
    await expect(store.get(String(cid))).rejects.toThrow('the file is made of too many blocks')
  })

  it('stops at the bound in a block of links alone', async () => {
    const directory = await bed.directory()
    const links = Array.from({ length: 50_000 }, () => parseContentId(hello))
    const block = nodeOf(unixFs({ blockBytes: links.map(() => 6) }), links)
    const cid = blockId(dagPbCodec, block)
    await writeFile(join(directory, keyOf(cid)), block)
    await expect(createContentStore({ directory }).get(String(cid))).rejects.toThrow(
      'the file is made of too many blocks',
    )
  })

  it('refuses a part that has another size than its parent says', async () => {
    const leaf = bytesOf('hello\n')
    for (const [said, text] of [
      [7, 'said to have 7 bytes, and has 6'],
      [5, 'answered more than 5 bytes'],
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

describe('what is no file', () => {
  it.each([
    ['a directory', nodeOf(unixFs({ type: 1 }))],
    ['a sharded directory', nodeOf(unixFs({ type: 5, data: Uint8Array.of(1) }))],
    ['a symbolic link', nodeOf(unixFs({ type: 4, data: bytesOf('/etc/passwd') }))],
    ['metadata', nodeOf(unixFs({ type: 3 }))],
    ['a node of the type 77', nodeOf(unixFs({ type: 77 }))],
    ['a block that is no file', bytesOf('not protobuf at all')],
    ['a block that is no file', new Uint8Array()],
    ['a block that is no file', nodeOf(unixFs({ blockBytes: [6, 6] }), [parseContentId(hello)])],
    [
      'a block that is no file',
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

  it('a file with a wrong size of its own', async () => {
    const directory = await bed.directory()
    const block = nodeOf(unixFs({ data: bytesOf('hello'), fileBytes: 6 }))
    const cid = blockId(dagPbCodec, block)
    await writeFile(join(directory, keyOf(cid)), block)
    await expect(createContentStore({ directory }).get(String(cid))).rejects.toThrow(
      'the file says that it has 6 bytes, and its parts have 5',
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
    // blake2b-256, and sha2-256 cut to four bytes.
    ['bafykbzacea7rxlhsdnw4gfmjmgcogdxk4jmvubnaffxuuorf44uelkffhnjx4', 'does not use sha2-256'],
    ['bafkreblmwnwv6', 'is not a content id'],
  ])('%j is refused', async (cid, text) => {
    const store = createContentStore({ directory: await bed.directory() })
    await expect(store.get(cid)).rejects.toThrow(text)
  })

  it('a shortened hash, which can be forged', async () => {
    const cid = CID.createV1(rawCodec, create(0x12, Uint8Array.of(1, 2, 3, 4)))
    const store = createContentStore({ directory: await bed.directory() })
    await expect(store.get(String(cid))).rejects.toThrow('has a shortened hash')
  })

  it('sha2-512 is understood', async () => {
    const cid = CID.createV1(rawCodec, create(0x13, createHash('sha512').update('hi').digest()))
    const gateways = gatewaysAt(await bed.gatewayWith(new Map([[keyOf(cid), bytesOf('hi')]])))
    const store = createContentStore({ directory: await bed.directory(), gateways })
    expect(textOf(await store.get(String(cid)))).toBe('hi')
  })
})
