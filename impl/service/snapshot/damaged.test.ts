import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentIdOf } from '../content/contentId.ts'
import { newestSchema } from '../store/schemaVersion.ts'
import type { Manifest } from './manifest.ts'
import { verifySnapshot } from './verifySnapshot.ts'
import { writeContainer } from './writeContainer.ts'

const manifest: Manifest = {
  format: 'svc-snapshot',
  version: 1,
  createdAt: '2026-02-03T04:05:06.789Z',
  release: '1.2.3',
  schema: newestSchema,
  engine: 'embedded',
  tables: [{ name: 'secrets', columns: ['policy_client', 'envelope'] }],
  chain: null,
  content: true,
}
const content = Buffer.from('package p')

let home: string
let file: string
let whole: Buffer
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-damaged-'))
  file = join(home, 'file')
  whole = await written(manifest)
})
afterAll(() => rm(home, { recursive: true, force: true }))

/** A snapshot from the writer. */
async function written(of: Manifest): Promise<Buffer> {
  const output = new PassThrough()
  const pieces: Buffer[] = []
  output.on('data', (piece: Buffer) => pieces.push(piece))
  const writer = writeContainer(of, output)
  await writer.part('manifest.json', Buffer.from(JSON.stringify(of)))
  await writer.part('database/secrets/000000', Buffer.from('["0x1","sealed"]\n'))
  await writer.part(`content/${contentIdOf(content)}`, content)
  await writer.end({ rows: { secrets: 1 }, leftOut: [] })
  return Buffer.concat(pieces)
}

/** A snapshot with given parts and their checksums. */
async function made(parts: readonly (readonly [string, Buffer | number])[]): Promise<Buffer> {
  const tar = pack()
  for (const [name, data] of parts) {
    // A number: a part that declares this size without data.
    if (typeof data !== 'number') tar.entry({ name }, data)
    else tar.entry({ name, size: data })
  }
  if (parts.every(([, data]) => typeof data !== 'number')) tar.finalize()
  else tar.push(null)
  const pieces: Buffer[] = []
  for await (const piece of tar) pieces.push(piece as Buffer)
  return gzipSync(Buffer.concat(pieces))
}

async function verified(bytes: Uint8Array) {
  await writeFile(file, bytes)
  return await verifySnapshot(file)
}
const first = (changed: object = {}) =>
  ['manifest.json', Buffer.from(JSON.stringify({ ...manifest, ...changed }))] as const

describe('a damaged snapshot', () => {
  it('differs from a complete one', async () => {
    expect(await verified(whole)).toMatchObject({ rows: { secrets: 1 }, contents: 1 })
  })

  it('is rejected if truncated anywhere', async () => {
    const cuts = fc.integer({ min: 0, max: whole.length - 1 })
    await fc.assert(
      fc.asyncProperty(cuts, async (length) => {
        await expect(verified(whole.subarray(0, length))).rejects.toMatchObject({
          code: 'damaged',
        })
      }),
      { numRuns: 40 },
    )
  })

  it('is rejected with any bit changed, except for meaningless ones', async () => {
    const original = gunzipSync(whole)
    const bits = fc.tuple(fc.integer({ min: 0, max: whole.length - 1 }), fc.integer({ max: 7, min: 0 })) // biome-ignore format: a line
    await fc.assert(
      fc.asyncProperty(bits, async ([at, bit]) => {
        const changed = Buffer.from(whole)
        changed[at] = changed[at]! ^ (1 << bit)
        const found = await verified(changed).catch((error: unknown) => error)
        // Time and system in the header of gzip are read by nobody.
        if (found instanceof Error) expect(found).toMatchObject({ code: 'damaged' })
        else expect(gunzipSync(changed).equals(original)).toBe(true)
      }),
      { numRuns: 80 },
    )
  })

  it.each<[string, () => Buffer | Promise<Buffer>]>([
    ['nothing', () => Buffer.alloc(0)],
    ['text', () => Buffer.from('{"format":"svc-snapshot"}')],
    ['gzipped text', () => gzipSync('hello')],
    ['gzipped zeros', () => gzipSync(Buffer.alloc(1_000_000))],
    ['another tar', () => made([['README', Buffer.from('hello')]])],
    ['one with a manifest alone', () => made([first()])],
    ['a manifest of another format', () => made([first({ format: 'other' })])],
    ['a manifest that is not JSON', () => made([['manifest.json', Buffer.from('{')]])],
    ['a manifest that lacks its members', () => made([first({ tables: undefined })])],
    [
      'a table with an invalid name',
      () => made([first({ tables: [{ name: 'a"b', columns: ['c'] }] })]),
    ],
    ['a path', () => made([first(), ['../../etc/passwd', Buffer.from('x')]])],
    ['an end that lists other parts', () => made([first(), ['database/secrets/000000', Buffer.from('["0x1"]\n')], ['end.json', Buffer.from('{"parts":[],"rows":{},"leftOut":[]}')]])], // biome-ignore format: a line
    ['a content that is another', () => made([first(), [`content/${contentIdOf(content)}`, Buffer.from('package q')]])], // biome-ignore format: a line
    ['a part as large as a disk', () => made([first(), ['content/bafkreiaad5yng424hb7xf3td53vxnj6kqeysx5ko2wugsgrwdv7heqaxxi', 1e15]])], // biome-ignore format: a line
    ['a manifest as large as a disk', () => made([['manifest.json', 1e12]])],
    ['many megabytes of zeros', () => made([first(), ['chain/state/000000', Buffer.alloc(17 * 1024 * 1024)]])], // biome-ignore format: a line
  ])('is rejected when it is %s', async (_, bytes) => {
    await expect(verified(await bytes())).rejects.toMatchObject({
      name: 'SnapshotError',
      code: 'damaged',
    })
  })

  it('is not reported for a later release, which is rejected by its version', async () => {
    const later = { version: 2, tables: 'in another form', release: '9.0.0' }
    await expect(verified(await made([first(later)]))).rejects.toMatchObject({
      code: 'version',
      message: 'The snapshot has format 2, this release supports 1',
      hint: expect.stringContaining('(9.0.0)'),
    })
    await expect(verified(await made([first({ schema: 999 })]))).rejects.toMatchObject({
      code: 'version',
      message: `The snapshot has schema 999, this release supports ${newestSchema}`,
    })
  })

  it('is not what cannot be read', async () => {
    await expect(verifySnapshot(join(home, 'none'))).rejects.toMatchObject({ code: 'storage' })
    await expect(verifySnapshot(home)).rejects.toMatchObject({ code: 'storage' })
  })
})
