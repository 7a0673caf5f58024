import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { base16 } from 'multiformats/bases/base16'
import { base36 } from 'multiformats/bases/base36'
import { base58btc } from 'multiformats/bases/base58'
import { property } from 'polgate-lib/testing/property.ts'
import { describe, expect, it } from 'vitest'
import { blocksOf, bytesOf, contentHarness, gatewaysAt, noise, textOf } from './content.fixture.ts'
import { parseContentId } from './contentId.ts'
import { createContentStore } from './contentStore.ts'
import { unixFsV0, unixFsV1 } from './fileLayout.ts'

const bed = contentHarness()

const hello = 'bafkreicysg23kiwv34eg2d7qweipxwosdo2py4ldv42nbauguluen5v6am'
/** The id from `ipfs add` of the same text. */
const helloV0 = 'QmZULkCELmmk5XNfCgTnCyFgAVxBRBXyDHGGMVoLFLiXEN'
const small = { ...unixFsV1, chunkBytes: 100, maxLinks: 4 }

describe('the local store', () => {
  it('stores content by its hash, and returns it', async () => {
    const directory = await bed.directory()
    const store = createContentStore({ directory })
    expect(await store.put(bytesOf('hello\n'))).toBe(hello)
    expect(textOf(await store.get(hello))).toBe('hello\n')
    expect(await readdir(directory)).toEqual([hello])
    expect(await store.block(hello)).toEqual(Buffer.from('hello\n'))
    expect(await store.list()).toEqual([{ cid: hello, bytes: 6 }])
  })

  it('returns a file for any form of its id', async () => {
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

  it('reads the content within an identity id', async () => {
    const store = createContentStore({ directory: await bed.directory() })
    expect(textOf(await store.get('bafkqabtimvwgy3yk'))).toBe('hello\n')
    expect((await store.get('bafkqaaa')).length).toBe(0)
    expect(await store.list()).toEqual([])
  })

  it('is consistent when two write the same concurrently', async () => {
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

  it('reports why it cannot be written, without its path', async () => {
    const directory = join(await bed.directory(), 'file')
    await writeFile(directory, '')
    const store = createContentStore({ directory })
    await expect(store.put(bytesOf('x'))).rejects.toMatchObject({
      code: 'storage',
      message: 'the local content store cannot be written: it is not a directory',
      hint: expect.stringContaining('directory'),
    })
    await expect(store.get(hello)).rejects.toThrow(
      `the content ${hello} is unavailable: the local content store cannot be read: it is not a directory`,
    )
  })

  it('returns a file that it cannot store', async () => {
    const directory = join(await bed.directory(), 'file')
    await writeFile(directory, '')
    const { cid, blocks } = blocksOf(noise(1_000), small)
    const gateways = gatewaysAt(await bed.gatewayWith(blocks))
    const store = createContentStore({ directory, gateways })
    expect(Buffer.from(await store.get(cid)).equals(noise(1_000))).toBe(true)
  })

  it('ignores files that are not blocks', async () => {
    const directory = await bed.directory()
    const store = createContentStore({ directory })
    await store.put(bytesOf('hello\n'))
    await writeFile(join(directory, `${hello}.draft`), 'half')
    await mkdir(join(directory, 'b'.repeat(50)))
    expect(await store.list()).toEqual([{ cid: hello, bytes: 6 }])
  })
})

describe('an altered file on disk', () => {
  it('is rejected', async () => {
    const directory = await bed.directory()
    const store = createContentStore({ directory })
    await store.put(bytesOf('hello\n'))
    await writeFile(join(directory, hello), 'Hello\n')
    await expect(store.get(hello)).rejects.toMatchObject({
      code: 'unavailable',
      retryable: true,
      message: `the content ${hello} is unavailable: the local store returned bytes that do not match the id`,
    })
    expect(await store.block(hello)).toBeUndefined()
  })

  it('is fetched again and replaced', async () => {
    const directory = await bed.directory()
    const { cid, blocks } = blocksOf(bytesOf('hello\n'))
    await writeFile(join(directory, hello), 'Hello\n')
    const gateways = gatewaysAt(await bed.gatewayWith(blocks))
    const store = createContentStore({ directory, gateways })
    expect(textOf(await store.get(cid))).toBe('hello\n')
    expect(await readFile(join(directory, hello), 'utf8')).toBe('hello\n')
  })

  property(
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
  )('is detected in any bit of any block, and rejected or fetched again', async (sample) => {
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
