import fc from 'fast-check'
import { importer } from 'ipfs-unixfs-importer'
import { fixedSize } from 'ipfs-unixfs-importer/chunker'
import { balanced, trickle } from 'ipfs-unixfs-importer/layout'
import type { CID } from 'multiformats/cid'
import { property } from 'polgate-lib/testing/property.ts'
import { describe, expect, it } from 'vitest'
import { blocksOf, bytesOf, contentHarness, gatewaysAt, noise } from './content.fixture.ts'
import { keyOf } from './contentId.ts'
import { createContentStore } from './contentStore.ts'
import { type FileLayout, unixFsV0, unixFsV1 } from './fileLayout.ts'

const bed = contentHarness()

/** The blocks that the IPFS project's importer creates for a file. */
async function imported(
  file: Uint8Array,
  layout: FileLayout,
  more: { trickle?: boolean; leafType?: 'file' | 'raw'; reduceSingleLeafToSelf?: boolean } = {},
) {
  const blocks = new Map<string, Uint8Array>()
  const { trickle: isTrickle, ...rest } = more
  const store = {
    put: async (cid: CID, block: Uint8Array) => {
      blocks.set(keyOf(cid), block)
      return cid
    },
  }
  const maxChildrenPerNode = layout.maxLinks
  const entries = importer([{ content: file }], store as never, {
    cidVersion: layout.cidVersion,
    rawLeaves: layout.rawLeaves,
    chunker: fixedSize({ chunkSize: layout.chunkBytes }),
    layout: isTrickle ? trickle({ maxChildrenPerNode }) : balanced({ maxChildrenPerNode }),
    ...rest,
  })
  let cid = ''
  for await (const entry of entries) cid = entry.cid.toString()
  return { cid, blocks }
}

const layouts: readonly (readonly [string, FileLayout])[] = [
  ['unixfs-v0-2015', unixFsV0],
  ['unixfs-v1-2025', unixFsV1],
  ['ipfs add --cid-version 1', { ...unixFsV0, cidVersion: 1, rawLeaves: true }],
  ['ipfs add --raw-leaves', { ...unixFsV0, rawLeaves: true }],
  ['ipfs add --cid-version 1 --raw-leaves=false', { ...unixFsV0, cidVersion: 1 }],
]

describe('well-known ids of the public network', () => {
  it.each([
    ['', unixFsV0, 'QmbFMke1KXqnYyBBWxB74N4c5SBnJMVAiMNRcGu6x1AwQH'],
    ['', unixFsV1, 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'],
    ['hello\n', unixFsV0, 'QmZULkCELmmk5XNfCgTnCyFgAVxBRBXyDHGGMVoLFLiXEN'],
    ['hello\n', unixFsV1, 'bafkreicysg23kiwv34eg2d7qweipxwosdo2py4ldv42nbauguluen5v6am'],
    ['hello world\n', unixFsV0, 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o'],
    ['hello world', unixFsV0, 'Qmf412jQZiuVUtdgnB36FXFX7xg5V6KEbSJ4dpQuhkLyfD'],
  ])('%j', (text, layout, cid) => {
    expect(blocksOf(bytesOf(text), layout).cid).toBe(cid)
  })
})

describe('the same blocks as from the importer of the IPFS project', () => {
  const MiB = 1024 * 1024
  const files = new Map<number, Uint8Array>()
  it.each(
    layouts.flatMap(([name, layout]) =>
      [
        0,
        1,
        256 * 1024,
        256 * 1024 + 1,
        MiB,
        MiB + 1,
        11 * MiB + 17,
        // More chunks than links in one node of the older layout.
        175 * 256 * 1024,
      ].map((size) => [name, size, layout] as const),
    ),
  )('%s, %i bytes', async (_name, size, layout) => {
    const file = files.get(size) ?? noise(size)
    files.set(size, file)
    const own = blocksOf(file, layout)
    const other = await imported(file, layout)
    expect(own.cid).toBe(other.cid)
    expect([...own.blocks.keys()].sort()).toEqual([...other.blocks.keys()].sort())
  })

  property(
    {
      file: fc.uint8Array({ maxLength: 3_000 }),
      chunkBytes: fc.integer({ min: 1, max: 200 }),
      maxLinks: fc.integer({ min: 2, max: 9 }),
      rawLeaves: fc.boolean(),
      cidVersion: fc.constantFrom(0 as const, 1 as const),
    },
    { numRuns: 100 },
  )('any layout', async ({ file, ...layout }) => {
    expect(blocksOf(file, layout).cid).toBe((await imported(file, layout)).cid)
  })
})

describe('files of other tools are readable', () => {
  it.each([
    ['trickle', { trickle: true }],
    ['trickle with leaves of the type raw', { trickle: true, leafType: 'raw' as const }],
    ['leaves of the type raw', { leafType: 'raw' as const }],
    ['a root above a single leaf', { reduceSingleLeafToSelf: false }],
  ])('%s', async (_name, more) => {
    for (const [, layout] of layouts) {
      // Up to 80 leaves: four levels of nodes with three links, in the trickle layout as well.
      for (const size of [0, 5, 999, 80 * 256 - 7]) {
        const small = { ...layout, chunkBytes: 256, maxLinks: 3 }
        const file = noise(size)
        const { cid, blocks } = await imported(file, small, more)
        const gateways = gatewaysAt(await bed.gatewayWith(blocks))
        const store = createContentStore({ directory: await bed.directory(), gateways })
        expect(Buffer.from(await store.get(cid)).equals(file)).toBe(true)
      }
    }
  })
})
