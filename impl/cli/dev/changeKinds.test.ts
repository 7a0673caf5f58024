import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadPolicyPackage } from '../package/loadPolicyPackage.ts'
import { templateNames } from '../policy/templateNames.ts'
import { affectedTests, changeKinds, mayDecideOtherwise } from './changeKinds.ts'

const folder = fileURLToPath(new URL('../templates/price-feed', import.meta.url))
const given = await loadPolicyPackage(folder)
const recording = join(folder, 'exchanges.yaml')

test.each([
  ['policy.yaml', 'package', true, ['rego', 'table']],
  ['policy.rego', 'rego', true, ['rego', 'table']],
  ['params.json', 'params', true, ['table']],
  ['params.schema.json', 'schema', true, ['table']],
  ['oracles/price_feed.js', 'oracle', true, ['table']],
  ['oracles/price_feed.secrets.schema.json', 'schema', true, ['table']],
  ['oracles/price_feed.test-secrets.json', 'secrets', true, ['table']],
  ['oracles/price_feed.args.json', 'intent', true, ['table']],
  ['oracles/price_feed.args.schema.json', 'intent', true, ['table']],
  ['intent.json', 'intent', true, ['table']],
  ['mocks.yaml', 'mocks', true, ['table']],
  ['exchanges.yaml', 'mocks', true, ['table']],
  ['cases.yaml', 'cases', true, ['table']],
  ['policy_test.rego', 'tests', false, ['rego']],
  ['README.md', undefined, false, []],
] as const)('%s is %s', (name, kind, decides, tests) => {
  const path = join(folder, name)
  const found = changeKinds([path, join(folder, 'another')], given, [recording])
  const kinds = new Set(kind === undefined ? [] : [kind])
  expect(found).toEqual(new Map(kind === undefined ? [] : [[path, kinds]]))
  expect(mayDecideOtherwise(kinds)).toBe(decides)
  expect([...affectedTests(kinds)]).toEqual(tests)
})

test.each(templateNames)('every file of the package %s is of some kind', async (name) => {
  const each = await loadPolicyPackage(join(folder, '..', name))
  expect(changeKinds(each.files, each, []).size).toBe(each.files.length)
})
