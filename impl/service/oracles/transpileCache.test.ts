import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCached, writeCached } from './transpileCache.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transpiled-'))
})
afterAll(() => rm(folder, { recursive: true }))

const transpiled = {
  imports: ['service:provider/http@0.2.0'],
  run: 'func(input: string) -> string',
  componentBytes: 3_000_000,
  source: 'export function instantiate() {}',
  modules: {
    'oracle.core.wasm': new Uint8Array(2_500_000).map((_, at) => at),
    'oracle.core2.wasm': new Uint8Array(0),
    'oracle.core3.wasm': Uint8Array.of(1, 2, 3),
  },
}

test('a written entry can be read, with modules of several pieces and empty ones', async () => {
  const path = join(folder, 'deep', 'whole')
  await writeCached(path, transpiled)
  const { modules, ...rest } = (await readCached(path))!
  expect({ ...rest, modules: Object.keys(modules) }).toEqual({
    ...transpiled,
    modules: Object.keys(transpiled.modules),
  })
  for (const [name, bytes] of Object.entries(transpiled.modules)) {
    expect(Buffer.compare(modules[name]!, bytes)).toBe(0)
  }
  expect(await readdir(join(folder, 'deep'))).toEqual(['whole'])
})

test('an entry truncated or altered anywhere counts as missing', async () => {
  const path = join(folder, 'whole')
  await writeCached(path, transpiled)
  const file = await readFile(path)
  const other = join(folder, 'other')
  for (const length of [0, 10, 32, 34, 36, 100, 1_000_000, file.length - 1]) {
    await writeFile(other, file.subarray(0, length))
    expect(await readCached(other)).toBeUndefined()
  }
  for (const at of [0, 31, 32, 35, 40, 2_000_000, file.length - 1]) {
    const altered = Buffer.from(file)
    altered[at]! ^= 1
    await writeFile(other, altered)
    expect(await readCached(other)).toBeUndefined()
  }
  await writeFile(other, Buffer.concat([file, Buffer.alloc(1)]))
  expect(await readCached(other)).toBeUndefined()
})
