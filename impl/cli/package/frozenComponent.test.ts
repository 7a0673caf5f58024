import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ComponentizeOptions, componentize } from '@bytecodealliance/componentize-js'
import { buildOracle, hostWit } from 'polgate-fixtures/oracles/build.ts'
import { defaultInterface } from 'polgate-fixtures/oracles/oracleSource.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runMain } from '../testing/runMain.ts'
import { frozenIn } from './frozenComponent.ts'

type Feature = 'clocks' | 'random'

let scratch: string
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'svc-frozen-'))
})
afterAll(() => rm(scratch, { recursive: true }))

async function builtWithout(...features: readonly Feature[]): Promise<Uint8Array> {
  const source =
    'export const run = () => JSON.stringify({ feed: { at: Date.now(), by: Math.random() } })'
  // The declared type requires a path even if the source is passed as text.
  const options = {
    worldName: 'oracle',
    disableFeatures: ['fetch-event', 'http', 'stdio', ...features],
  } as unknown as ComponentizeOptions
  const { component } = await componentize(source, await hostWit(defaultInterface), options)
  return component
}

test.each<readonly Feature[]>([['clocks'], ['random'], ['clocks', 'random']])(
  'a component without %s %s is known by its imports',
  async (...features) => {
    expect(frozenIn(await builtWithout(...features))).toEqual(features.filter(Boolean))
  },
  120_000,
)

test.each(['price', 'std', 'echo', 'wasi-http'])('the oracle %s has its own', async (name) => {
  expect(frozenIn(await buildOracle(name))).toEqual([])
})

test('import and test warn of it, and of a declaration in the parameters', async () => {
  const old = join(scratch, 'old')
  const folder = join(scratch, 'new')
  const rego = `package guard

default allow := false

allow if {
\tdata.wasm.feed.at > 0
\tinput.decoded_function_signature == data.params.function
\tinput.to == data.params.to
}
`
  const files = {
    'policy.rego': rego,
    'policy_test.rego':
      'package guard_test\n\nimport data.guard\n\ntest_denied if not guard.allow with input as {}\n',
    'params.json': '{"function": "function pay(address to)", "to": "0x1"}',
    'policy.wasm': await builtWithout('clocks', 'random'),
  }
  await mkdir(old)
  for (const [name, content] of Object.entries(files)) await writeFile(join(old, name), content)
  const imported = await runMain('policy', 'import', old, '-o', folder)
  const tested = await runMain('policy', 'test', folder, '--json')
  expect(imported.code).toBe(0)
  for (const text of ['without clocks', 'without random', 'write "pay(address)"'])
    expect(imported.stderr).toContain(text)
  const ids = JSON.parse(tested.stdout).warnings.map(({ id }: { id: string }) => id)
  expect(ids).toEqual(expect.arrayContaining(['function-text', 'frozen-clocks', 'frozen-random']))
  expect(await readFile(join(folder, 'params.json'), 'utf8')).toContain('function pay')
}, 120_000)
