import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buildOracle } from 'polgate-fixtures/oracles/build.ts'
import { expect, test } from 'vitest'
import { contentIdOf } from '../content/contentId.ts'
import { OracleError } from './oracleError.ts'
import { oracleHarness } from './testing/testHarness.ts'
import { createTranspiler, type Transpiler } from './transpiler.ts'

/** Decision O8: a component that is not ready in time is not rejected. */

const bed = oracleHarness()

/** A transpiler that answers on command and counts its calls. */
function heldTranspiler() {
  const own = createTranspiler({ threads: 1 })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const transpiler: Transpiler & { asked: number } = {
    asked: 0,
    async transpile(component, key) {
      transpiler.asked += 1
      await held
      return await own.transpile(component, key)
    },
    close: () => own.close(),
  }
  return { transpiler, release: () => release() }
}

async function emptyCache(): Promise<void> {
  await rm(join(bed.cacheDir()), { recursive: true, force: true })
}

test('calls that are cancelled early find it ready later', async () => {
  await emptyCache()
  const { transpiler, release } = heldTranspiler()
  const host = bed.hostWith({}, { transpiler })
  const component = await buildOracle('echo')
  const cid = contentIdOf(component)
  for (let call = 0; call < 3; call += 1) {
    const signal = AbortSignal.timeout(20)
    await expect(host.load(component, { cid, signal })).rejects.toThrow('timeout')
  }
  release()
  await host.load(component, { cid })
  expect((await host.run({ cid, input: '{"a":1}' })).json).toEqual({ echo: { a: 1 } })
  expect(transpiler.asked).toBe(1)
})

test('a transpiler that fails once is called again by the next load', async () => {
  await emptyCache()
  const own = createTranspiler({ threads: 1 })
  const failures = [
    new OracleError('late', 'not this time'),
    new OracleError('work', 'too much computing'),
    new Error('EMFILE: too many open files'),
  ]
  const transpiler: Transpiler = {
    transpile: async (component) => {
      const failure = failures.shift()
      if (failure) throw failure
      return await own.transpile(component)
    },
    close: () => own.close(),
  }
  const host = bed.hostWith({}, { transpiler })
  const component = await buildOracle('echo')
  const cid = contentIdOf(component)
  for (const text of ['not this time', 'too much computing', 'EMFILE']) {
    await expect(host.load(component, { cid })).rejects.toThrow(text)
  }
  await host.load(component, { cid })
  expect((await host.run({ cid, input: '{}' })).json).toEqual({ echo: {} })
})

test('hosts that share a cache transpile a component once, whatever its content id', async () => {
  await emptyCache()
  const component = await buildOracle('counter')
  const cids = ['bafyone', 'bafytwo', 'QmThree']
  const held = cids.map(() => heldTranspiler())
  const hosts = held.map(({ transpiler }) => bed.hostWith({}, { transpiler }))
  const loads = hosts.map((host, at) => host.load(component, { cid: cids[at]! }))
  for (const { release } of held) release()
  await Promise.all(loads)
  expect(held.reduce((sum, { transpiler }) => sum + transpiler.asked, 0)).toBe(1)
  // By its content id alone: the bytes are not requested.
  const later = bed.hostWith()
  const bytes = () => Promise.reject(new Error('unexpected call'))
  for (const cid of cids) await later.load(bytes, { cid })
  const [version = ''] = await readdir(bed.cacheDir())
  const entries = (await readdir(join(bed.cacheDir(), version))).filter((name) => name !== 'ids')
  expect(entries).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
})
