import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transpiledDirectory } from 'polgate-local/chainImage.ts'
import { createOracleHost } from 'polgate-service/oracles/oracleHost.ts'
import { transpilerVersion } from 'polgate-service/oracles/transpiledComponent.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runMain } from '../testing/runMain.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-add-'))
})
afterAll(() => rm(folder, { recursive: true }))

const rates = fileURLToPath(new URL('../../../fixtures/oracles/rates/oracle.wasm', import.meta.url))
const entryOf = (component: Uint8Array) =>
  join(transpiledDirectory, transpilerVersion, createHash('sha256').update(component).digest('hex'))
/** The same component with a unique section at the end, so that no cache has it. */
async function ownComponent() {
  const mark = Buffer.from(`\u0004mark${folder}`)
  return Buffer.concat([await readFile(rates), Buffer.of(0, mark.length), mark])
}
const add = (...args: string[]) =>
  runMain('content', 'add', '--directory', join(folder, 'store'), ...args)

test('an added component is compiled before its first run, under each of its content ids', async () => {
  const component = await ownComponent()
  const file = join(folder, 'oracle.wasm')
  await writeFile(file, component)
  expect(await add('--no-prepare', file)).toMatchObject({ code: 0, stderr: '' })
  expect(existsSync(entryOf(component))).toBe(false)
  try {
    const { code, stdout, stderr } = await add('--cid-version', '0', file)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(existsSync(entryOf(component))).toBe(true)
    const host = createOracleHost({
      clock: Date,
      cacheDir: transpiledDirectory,
      transpiler: {
        transpile: () => Promise.reject(new Error('compiled again')),
        close: async () => undefined,
      },
    })
    await host.load(component, { cid: stdout.trim() }).finally(() => host.close())
  } finally {
    await rm(entryOf(component), { force: true })
  }
})

test('a component that cannot run is stored, with a note', async () => {
  const file = join(folder, 'broken.wasm')
  await writeFile(file, (await readFile(rates)).subarray(0, -20))
  const { code, stdout, stderr } = await add(file)
  expect({ code, lines: stdout.trim().split('\n').length }).toEqual({ code: 0, lines: 1 })
  expect(stderr).toContain(
    'broken.wasm was stored but cannot be used as an oracle: the component is',
  )
})
