import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { describe, expect, test } from 'vitest'
import { contentIdOf } from '../content/contentId.ts'
import type { OracleHost } from './oracleHost.ts'
import { failureOf, oracleHarness } from './testing/testHarness.ts'
import { transpilerVersion } from './transpiledComponent.ts'

const bed = oracleHarness()
const { hostWith } = bed
const load = async (host: OracleHost, name: string) => bed.load(host, await buildOracle(name))

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

describe('loading', () => {
  test('a component that imports wasi:http is rejected, naming the import and the PolicyData', async () => {
    const error = await failureOf(load(hostWith(), 'wasi-http'))
    expect(error.code).toBe('component')
    expect(error.message).toBe(
      'WASM execution failed: the component of PolicyData 0xAbC imports wasi:http/types@0.2.0, ' +
        'which is not available: call service:provider/http@0.2.0 instead',
    )
  })

  test.each([
    ['no WebAssembly', Uint8Array.of(1, 2, 3), 'the bytes are not a WebAssembly component'],
    ['a core module', Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0), 'not a WebAssembly component'],
    [
      'a component that is truncated',
      Uint8Array.of(0, 97, 115, 109, 13, 0, 1, 0, 1, 50, 0),
      'the component is not valid',
    ],
  ])('%s is rejected', async (_case, component, text) => {
    const loading = hostWith().load(component, { cid: contentIdOf(component) })
    expect((await failureOf(loading)).details).toContain(text)
  })

  test('a component over the limit is rejected', async () => {
    const error = await failureOf(load(hostWith({ componentBytes: 100 }), 'echo'))
    expect(error.details).toBe('the component is larger than 100 bytes')
  })

  test('a second host finds the component on disk, without fetching it', async () => {
    const cid = await load(hostWith(), 'echo')
    const host = hostWith()
    await host.load(() => Promise.reject(new Error('unexpected call')), { cid })
    expect((await host.run({ cid, input: '1' })).json).toEqual({ echo: 1 })
  })

  test('an altered file on disk is replaced', async () => {
    const cid = await load(hostWith(), 'counter')
    const hash = createHash('sha256').update(await buildOracle('counter'))
    const path = join(bed.cacheDir(), transpilerVersion, hash.digest('hex'))
    const file = await readFile(path)
    for (const altered of [file.subarray(0, -1), flipped(file, 500), Buffer.alloc(0)]) {
      await writeFile(path, altered)
      const host = hostWith()
      await expect(host.load(() => Promise.reject(new Error('asked')), { cid })).rejects.toThrow()
      await load(host, 'counter')
      expect(await readFile(path)).toEqual(file)
    }
  })

  test('works without a writable cache', async () => {
    const host = hostWith({}, { cacheDir: '/dev/null/cache' })
    const cid = await load(host, 'echo')
    expect((await host.run({ cid, input: '1' })).json).toEqual({ echo: 1 })
  })

  test('the cache is specific to the installed transpiler', async () => {
    const { version } = JSON.parse(
      await readFile('node_modules/@bytecodealliance/jco-transpile/package.json', 'utf8'),
    )
    expect(transpilerVersion).toMatch(new RegExp(`^jco-transpile-${version}-`))
  })

  test('a failed load is not cached', async () => {
    const host = hostWith()
    const component = await buildOracle('plain-string')
    const cid = contentIdOf(Uint8Array.of(...component, 0))
    await expect(host.load(() => Promise.reject(new Error('gone')), { cid })).rejects.toThrow(
      'gone',
    )
    await host.load(component, { cid })
    expect((await host.run({ cid, input: '1' })).json).toEqual({ plain: { ok: true } })
  })

  test('a component that is not loaded cannot run', async () => {
    const error = await failureOf(hostWith().run({ cid: 'bafyunknown', input: '{}' }))
    expect(error.details).toBe('the component bafyunknown is not loaded')
  })

  test('the least recently used component is evicted', async () => {
    const host = hostWith({}, { maxLoaded: 2 })
    const [echo, trap] = [await load(host, 'echo'), await load(host, 'trap')]
    await host.run({ cid: echo, input: '1' })
    await load(host, 'loop')
    expect((await host.run({ cid: echo, input: '1' })).json).toEqual({ echo: 1 })
    expect((await failureOf(host.run({ cid: trap, input: '1' }))).details).toContain('not loaded')
  })
})
