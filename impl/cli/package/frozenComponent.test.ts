import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtWithout } from 'polgate-fixtures/oracles/testing/builtWithout.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runMain } from '../testing/runMain.ts'

let scratch: string
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'svc-frozen-'))
})
afterAll(() => rm(scratch, { recursive: true }))

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
}, 300_000)
