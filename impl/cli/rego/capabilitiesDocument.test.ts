import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serviceExtensions } from 'polgate-rego/builtins/extensions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runMain } from '../testing/runMain.ts'

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'capabilities-'))
})
afterAll(() => rm(home, { recursive: true }))

type Declared = {
  readonly name: string
  readonly description?: string
  readonly decl: { readonly variadic?: unknown; readonly result?: unknown }
}

async function printed(...args: readonly string[]): Promise<readonly Declared[]> {
  const { code, stdout } = await runMain('rego', 'capabilities', ...args)
  expect(code).toBe(0)
  return JSON.parse(stdout).builtins
}

test('every extension of the service is described', async () => {
  const builtins = new Map((await printed()).map((each) => [each.name, each]))
  for (const { name } of serviceExtensions())
    expect(builtins.get(name)?.description, name).toMatch(/^[A-Z].*\.$/)
  expect(builtins.has('json.patch')).toBe(false)
})

test('what has any number of arguments has no result: OPA refuses the whole file otherwise', async () => {
  const variadic = (await printed('--capabilities', 'latest')).filter(
    ({ decl }) => decl.variadic !== undefined,
  )
  expect(variadic.map(({ name, decl }) => [name, decl.result])).toEqual([['print', undefined]])
})

test('all fixtures and templates are valid with it', async () => {
  const { stdout } = await runMain('rego', 'capabilities')
  const path = join(home, 'capabilities.json')
  await writeFile(path, stdout)
  const parents = [folder('../../../fixtures/policies/'), folder('../templates/')]
  for (const parent of parents) {
    for (const name of await readdir(parent)) {
      const checked = await runMain('opa', 'check', '--capabilities', path, join(parent, name))
      expect(checked, name).toEqual({ code: 0, stdout: '', stderr: '' })
    }
  }
})
