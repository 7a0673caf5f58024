import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readParams } from './inputFiles.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-params-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

async function read(text: string) {
  const path = join(directory, 'params.json')
  await writeFile(path, text)
  return await readParams(path)
}

it.each(['', ' \n', '{}'])('a file with %j reads as empty parameters', async (text) => {
  expect(await read(text)).toEqual({})
})

it('a file with parameters is read, and one that is not JSON is refused', async () => {
  expect(await read('{"a": 1}\n')).toEqual({ a: 1 })
  await expect(read('oops')).rejects.toThrow('params.json is not JSON')
})
