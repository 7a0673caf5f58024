import { Readable } from 'node:stream'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readBody } from './responseBody.ts'

const mebibyte = 1024 * 1024
const body = (bytes: Uint8Array) => Readable.from([bytes])
const read = (source: Readable, encoding?: string, room = mebibyte) =>
  readBody(source, encoding, { room, limit: mebibyte })
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

test('a body without encoding is returned unchanged, up to the limit', async () => {
  // By Node: an assertion takes seconds to compare a million items.
  const sevens = new Uint8Array(mebibyte).fill(7)
  expect(Buffer.compare(await read(body(sevens.slice())), sevens)).toBe(0)
  await expect(read(body(new Uint8Array(mebibyte + 1)))).rejects.toThrow(
    /^the response is larger than 1 MiB$/,
  )
  expect((await read(Readable.from([]))).length).toBe(0)
  expect(text(await read(body(Buffer.from('{}')), 'identity'))).toBe('{}')
})

test('a body in many small pieces is joined, up to a number of pieces', async () => {
  const inPieces = (count: number) => {
    const source = new Readable({ read() {} })
    setImmediate(() => {
      for (let at = 0; at < count; at += 1) source.push(Buffer.of(at % 256))
      source.push(null)
    })
    return source
  }
  const bytes = await read(inPieces(16_384))
  expect(bytes.length).toBe(16_384)
  expect(bytes[16_383]).toBe(16_383 % 256)
  await expect(read(inPieces(16_385))).rejects.toThrow(
    /^the response arrived in more than 16384 pieces$/,
  )
})

describe.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)('%s', (encoding, compress) => {
  test('is decoded', async () => {
    expect(text(await read(body(compress(Buffer.from('{"a":1}'))), encoding))).toBe('{"a":1}')
    expect((await read(Readable.from([]), encoding)).length).toBe(0)
  })

  test('is limited by its decoded size', async () => {
    const zeros = (length: number) => body(compress(Buffer.alloc(length)))
    expect((await read(zeros(mebibyte), encoding)).length).toBe(mebibyte)
    await expect(read(zeros(mebibyte + 1), encoding)).rejects.toThrow(
      /^the response is larger than 1 MiB when decompressed$/,
    )
  })

  test('that is invalid or truncated is rejected', async () => {
    const name = encoding.toLowerCase()
    const invalid = `the response is not valid ${name}`
    await expect(read(body(Buffer.from('{"not":"that"}')), encoding)).rejects.toThrow(invalid)
    const short = compress(Buffer.from('x'.repeat(1_000))).subarray(0, -6)
    await expect(read(body(short), encoding)).rejects.toThrow(invalid)
  })
})

test('endless empty members stop at the limit of the encoded size', async () => {
  const empty = gzipSync('')
  function* endless() {
    for (;;) yield Buffer.concat(Array(1_000).fill(empty))
  }
  await expect(read(Readable.from(endless()), 'gzip')).rejects.toThrow(
    /^the response is larger than 1 MiB$/,
  )
})

test.each(['gzip, gzip', 'gzip,br', ',gzip'])(
  'the encoding %s is rejected as multiple',
  async (encoding) => {
    await expect(read(body(Buffer.from('x')), encoding)).rejects.toThrow(
      'the response is compressed more than once',
    )
  },
)

test.each(['zstd', 'compress', 'constructor', 'toString'])(
  '%s is not supported',
  async (encoding) => {
    await expect(read(body(Buffer.from('x')), encoding)).rejects.toThrow(
      'the content encoding of the response is not gzip, deflate or br',
    )
  },
)

test('a connection that breaks within a compressed body is not reported as a bad encoding', async () => {
  const whole = gzipSync(Buffer.from('x'.repeat(100_000)))
  const broken = Readable.from(
    (function* () {
      yield whole.subarray(0, 20)
      throw Object.assign(new Error('reset'), { code: 'ECONNRESET' })
    })(),
  )
  await expect(read(broken, 'gzip')).rejects.toMatchObject({ code: 'ECONNRESET' })
})
