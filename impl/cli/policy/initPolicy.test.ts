import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { componentFile } from 'polgate-fixtures/oracles/build.ts'
import { prebuiltFiles } from 'polgate-fixtures/oracles/prebuilt.ts'
import { packageVersion } from 'polgate-lib/packageVersion.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadPolicyPackage } from '../package/loadPolicyPackage.ts'
import { runMain } from '../testing/runMain.ts'
import { templateNames } from './templateNames.ts'

const templates = fileURLToPath(new URL('../templates', import.meta.url))
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-init-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('there is a template for every name', async () => {
  expect((await readdir(templates)).sort()).toEqual([...templateNames].sort())
})

test('without a template all of them are listed, and a command is shown', async () => {
  const { code, stderr } = await runMain('policy', 'init', join(folder, 'none'))
  expect(code).toBe(2)
  for (const name of templateNames) expect(stderr).toMatch(new RegExp(`^  ${name} +\\w`, 'm'))
  expect(stderr).toContain('--template price-feed')
})

describe.each(templateNames)('%s', { timeout: 120_000 }, (template) => {
  test('tests, table and failing hosts pass, with full coverage; the Rego is clean', async () => {
    const written = join(folder, template)
    const init = await runMain('policy', 'init', written, '--template', template)
    expect(init).toMatchObject({ code: 0, stderr: '' })
    const workflow = await readFile(join(written, '.github/workflows/policy.yml'), 'utf8')
    expect(workflow).toContain(`npm install --no-save polgate@${packageVersion} `)
    const ran = await runMain('policy', 'test', written, '--json', '--threshold', '100')
    const report = JSON.parse(ran.stdout)
    expect(ran.code).toBe(0)
    expect(report).toMatchObject({ passed: true, warnings: [], coverage: { percent: 100 } })
    // A reason that no case is denied for is not shown to work.
    expect(report.coverage.denyRules.filter(({ held }: { held: boolean }) => !held)).toEqual([])
    const decisions = new Set(report.cases.map(({ decision }: { decision: string }) => decision))
    expect(decisions).toEqual(new Set(['allow', 'deny', 'fails']))
    const { oracles, testPrivateData } = await loadPolicyPackage(written)
    const modes = new Set(report.failOpen.map(({ mode }: { mode: string }) => mode))
    const ofPrivateData = testPrivateData === undefined ? [] : ['down', 'garbage']
    expect(modes).toEqual(
      new Set(oracles.length === 0 ? ofPrivateData : ['down', 'slow', 'garbage']),
    )
    const rego = ['policy.rego', 'policy_test.rego'].map((name) => join(written, name))
    expect(await runMain('rego', 'fmt', '--list', ...rego)).toMatchObject({ code: 0, stdout: '' })
    expect(await runMain('rego', 'check', ...rego)).toMatchObject({ code: 0 })
    const params = ['--params', join(written, 'params.json')]
    expect(await runMain('rego', 'lint', ...rego, ...params)).toMatchObject({ code: 0 })
  })

  test('its oracles are prebuilt: no compiler is needed', async () => {
    const present = await prebuiltFiles('templates')
    const { oracles } = await loadPolicyPackage(join(templates, template))
    for (const { source } of oracles) {
      const name = basename(source, '.js')
      expect(present).toContain(await componentFile(name, await readFile(source, 'utf8')))
    }
  })
})

test('existing files are never replaced, and then nothing is written', async () => {
  const taken = join(folder, 'taken')
  await mkdir(taken)
  await writeFile(join(taken, 'cases.yaml'), 'mine')
  const ran = await runMain('policy', 'init', taken, '--template', 'kyc')
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain('already has cases.yaml')
  expect(await readdir(taken)).toEqual(['cases.yaml'])
  expect(await readFile(join(taken, 'cases.yaml'), 'utf8')).toBe('mine')
})

test('the package has the name of its folder', async () => {
  const named = join(folder, 'my-own')
  await runMain('policy', 'init', named, '--template', 'signed-intent')
  expect((await loadPolicyPackage(named)).name).toBe('my-own')
})

test.each([
  [['policy', 'init', 'x', '--template', 'prices'], 'Allowed choices are price-feed, kyc'],
  [['policy', 'init', '--template', 'kyc'], "missing required argument 'folder'"],
])('%j', async (args, text) => {
  const ran = await runMain(...args)
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain(text)
})
