import fc from 'fast-check'
import { property } from 'polgate-lib/testing/property.ts'
import { describe, expect, it } from 'vitest'
import { blocksOf, nodeOf, noise, unixFs } from './content.fixture.ts'
import { ContentError } from './contentError.ts'
import { parseContentId } from './contentId.ts'
import { unixFsV0 } from './fileLayout.ts'
import { bytesField, varint } from './protobuf.ts'
import { decodeFileNode } from './unixFs.ts'

const leaf = parseContentId('bafkreicysg23kiwv34eg2d7qweipxwosdo2py4ldv42nbauguluen5v6am')
const { all } = blocksOf(noise(5_000), { ...unixFsV0, chunkBytes: 1_000, maxLinks: 3 })
const nodes = all.map(({ block }) => block)

describe('hostile nodes', () => {
  property({ bytes: fc.uint8Array({ maxLength: 200 }) }, { numRuns: 1_000 })(
    'any bytes are a node, or rejected',
    ({ bytes }) => {
      try {
        decodeFileNode(bytes, 100)
      } catch (error) {
        expect(error).toBeInstanceOf(ContentError)
      }
    },
  )

  property(
    { which: fc.nat(nodes.length - 1), at: fc.nat(), byte: fc.nat(255), end: fc.nat() },
    { numRuns: 2_000 },
  )('altered or truncated nodes are nodes, or rejected', (sample) => {
    const node = Buffer.from(nodes[sample.which]!)
    node[sample.at % node.length] = sample.byte
    const cut = node.subarray(0, node.length - (sample.end % 3 === 0 ? sample.end % 50 : 0))
    try {
      const { bytes, data, links } = decodeFileNode(cut, 100)
      expect(bytes).toBe(links.reduce((sum, link) => sum + link.bytes, data.length))
    } catch (error) {
      expect(error).toBeInstanceOf(ContentError)
    }
  })

  it('numbers beyond exact integers are rejected', () => {
    const beyond = Buffer.concat([varint(2), Uint8Array.of(0x20), new Uint8Array(9).fill(0xff)])
    expect(() => decodeFileNode(nodeOf(beyond), 100)).toThrow('a block that is not a file')
    const sums = unixFs({ blockBytes: [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] })
    const { bytes } = decodeFileNode(nodeOf(sums, [leaf, leaf]), 100)
    expect(bytes).toBeGreaterThan(Number.MAX_SAFE_INTEGER)
  })

  it('two messages in one node are rejected', () => {
    const message = unixFs({ fileBytes: 0 })
    expect(decodeFileNode(nodeOf(message), 100)).toMatchObject({ bytes: 0, links: [] })
    expect(() => decodeFileNode(Buffer.concat([nodeOf(message), nodeOf(message)]), 100)).toThrow(
      'a block that is not a file',
    )
  })

  it('sizes of parts may be packed', () => {
    const packed = Buffer.concat([
      Uint8Array.of(8, 2, 18, 0, 24, 200, 1, 34, 4),
      varint(150),
      varint(50),
    ])
    packed[8] = packed.length - 9
    const { bytes, links } = decodeFileNode(nodeOf(packed, [leaf, leaf]), 100)
    expect([bytes, links.map((link) => link.bytes)]).toEqual([200, [150, 50]])
  })

  it('fields that no node has are refused, also those that a 32-bit reader takes for links', () => {
    const message = nodeOf(unixFs({ fileBytes: 0 }))
    const unknown = bytesField(3, Uint8Array.of(1))
    expect(() => decodeFileNode(Buffer.concat([unknown, message]), 100)).toThrow('is not a file')
    const tag = varint(2 ** 32 + 2 * 8 + 2)
    const links = Array.from({ length: 200 }, () => [tag, varint(0)]).flat()
    expect(() => decodeFileNode(Buffer.concat([...links, message]), 100)).toThrow('is not a file')
  })

  it('links are bounded before they are decoded, whatever is in them', () => {
    const links = Buffer.concat(Array.from({ length: 101 }, () => bytesField(2, new Uint8Array())))
    expect(() => decodeFileNode(links, 100)).toThrow('too many blocks')
    expect(() => decodeFileNode(links, 101)).toThrow('is not a file')
  })

  it('a part of an unsupported kind is rejected', () => {
    const dagCbor = unixFs({ blockBytes: [1] })
    const link = Uint8Array.of(18, 6, 10, 4, 1, 0x71, 0, 0)
    expect(() => decodeFileNode(Buffer.concat([link, nodeOf(dagCbor)]), 100)).toThrow(
      'names dag-cbor data',
    )
  })
})
