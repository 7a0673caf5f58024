import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadPolicyPackage } from './loadPolicyPackage.ts'
import { packageSchemaTexts } from './publishedSchemas.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const fixture = at('../../../fixtures/packages/counterparty-risk')

let folder: string
beforeEach(async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'svc-package-'))
  folder = join(scratch, 'package')
  await cp(fixture, folder, { recursive: true })
})
afterEach(() => rm(join(folder, '..'), { recursive: true }))

const write = (name: string, text: string) => writeFile(join(folder, name), text)

/** The error for this `policy.yaml`, from the file name on. */
async function refusal(text: string): Promise<string> {
  await write('policy.yaml', text)
  const error = await loadPolicyPackage(folder).then(
    () => undefined,
    (cause: Error & { hint?: string }) => cause,
  )
  return `${error?.message} | ${error?.hint}`.replaceAll(/\S*\/policy\.yaml/g, 'policy.yaml')
}

const least = 'name: a\npolicy: policy.rego\n'

test('the fixture: every file, in the order of the oracles', async () => {
  const loaded = await loadPolicyPackage(folder)
  expect(loaded).toMatchObject({
    name: 'counterparty-risk',
    entrypoint: 'policy.allow',
    policy: { text: await readFile(join(folder, 'policy.rego'), 'utf8') },
    client: { contract: { kind: 'sample' }, constructorArguments: {}, expireAfter: 300 },
    oracles: [
      {
        id: 'counterparty_risk',
        wasmArgs: { text: '{ "address": "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc" }' },
        allowedHosts: ['screening.example'],
      },
    ],
  })
  expect(loaded.files).toHaveLength(11)
})

test('defaults, and an artifact as the client', async () => {
  await write('Own.json', '{"abi": [], "bytecode": "0x"}')
  await write(
    'policy.yaml',
    `${least}entrypoint: data.other.rule\nclient: {contract: Own.json, constructorArguments: {to: 0x0102}}\n`,
  )
  expect(await loadPolicyPackage(folder)).toMatchObject({
    entrypoint: 'other.rule',
    params: undefined,
    oracles: [],
    tests: [],
    client: {
      contract: { kind: 'artifact', artifact: { path: join(folder, 'Own.json') } },
      constructorArguments: { to: '0x0102' },
    },
  })
})

describe('what is refused, with its place', () => {
  test.each([
    [
      'an unknown member',
      `${least}orcales: []\n`,
      'policy.yaml:3:1 unknown member orcales | Did you mean oracles?',
    ],
    [
      'one inside of an oracle',
      `${least}oracles:\n  - id: a\n    source: a.js\n    secretSchema: x\n`,
      'policy.yaml:6:5 oracles[0]: unknown member secretSchema | Did you mean secretsSchema?',
    ],
    ['a missing member', 'name: a\n', "the file must have required property 'policy'"],
    ['a wrong type', `${least}tests: x\n`, 'policy.yaml:3:1 tests must be array'],
    ['a wrong name', 'name: A b\npolicy: policy.rego\n', 'policy.yaml:1:1 name must match pattern'],
    [
      'a source of another kind',
      `${least}oracles: [{id: a, source: a.rs}]\n`,
      '.js, .ts, .wat, .wasm',
    ],
    [
      'a call of no form',
      `${least}client: {setPolicy: 5}\n`,
      'policy.yaml:3:10 client.setPolicy has none of its forms | How the client is given a policy: a signature',
    ],
    [
      'a call without its function',
      `${least}client: {initialize: {arguments: []}}\n`,
      "policy.yaml:3:10 client.initialize must have required property 'function'",
    ],
    [
      'a call in a list',
      `${least}client: {setPolicy: [a(), {function: b(), arguments: 3}]}\n`,
      'client.setPolicy[1].arguments must be array',
    ],
    [
      'no calls',
      `${least}client: {setPolicy: []}\n`,
      'client.setPolicy must NOT have fewer than 1',
    ],
    [
      'a file that is missing',
      `${least}params: none.json\n`,
      'policy.yaml:3:1 none.json does not exist',
    ],
    ['a folder', `${least}params: oracles\n`, 'policy.yaml:3:1 oracles is not a file'],
    [
      'a path out of the folder',
      `${least}params: ../x.json\n`,
      'policy.yaml:3:1 ../x.json is outside of the package',
    ],
    ['an absolute path', `${least}params: /etc/hostname\n`, 'is outside of the package'],
    [
      'a link out of the folder',
      `${least}tests: [policy_test.rego, link.rego]\n`,
      'policy.yaml:3:27 link.rego is outside',
    ],
    ['invalid YAML', 'name: [a\n', 'policy.yaml:2:1 is not valid YAML'],
    [
      'a member twice',
      `${least}name: b\n`,
      'policy.yaml:3:1 is not valid YAML: Map keys must be unique',
    ],
    ['text', 'hello\n', 'policy.yaml:1:1 the file must be object'],
    ['deep nesting', `name: ${'['.repeat(20_000)}\n`, 'policy.yaml'],
    ['params that are no object', `${least}params: list.json\n`, 'list.json is not a JSON object'],
    ['params that are not JSON', `${least}params: policy.rego\n`, 'policy.rego is not JSON'],
    [
      'one id twice',
      `${least}oracles:\n  - {id: a, source: o.js}\n  - {id: a, source: o.js}\n`,
      'policy.yaml:5:6 the id a is used twice | It is the id of policy.yaml:4:6',
    ],
    [
      'secrets without a schema',
      `${least}oracles: [{id: a, source: o.js, testSecrets: params.json}]\n`,
      'oracle a has secrets but no secretsSchema',
    ],
    [
      'a policy over the limit',
      `${least.replace('policy.rego', 'large.rego')}`,
      'large.rego is larger than 512 KiB',
    ],
  ])('%s', async (_, text, expected) => {
    await write('list.json', '[]')
    await write('o.js', '')
    await write('large.rego', 'a'.repeat(512 * 1024 + 1))
    await mkdir(join(folder, '../outside'))
    await write('../outside/x.rego', '')
    await symlink('../outside/x.rego', join(folder, 'link.rego'))
    expect(await refusal(text)).toContain(expected)
  })

  test('a folder that is not a package, and a file', async () => {
    await rm(join(folder, 'policy.yaml'))
    await expect(loadPolicyPackage(folder)).rejects.toThrow('has no policy.yaml')
    await expect(loadPolicyPackage(join(folder, 'x'))).rejects.toThrow('does not exist')
    await expect(loadPolicyPackage(join(folder, 'policy.rego'))).rejects.toThrow('is not a folder')
  })
})

test('the published schemas are those of the code, and accept the fixture', async () => {
  for (const [place, text] of Object.entries(packageSchemaTexts))
    expect(await readFile(at(`../../../${place}`), 'utf8')).toBe(text())
  const schema = packageSchemaTexts['impl/cli/package/schemas/policy.schema.json']!()
  const validate = new Ajv({ strict: false }).compile(JSON.parse(schema))
  expect(validate(parse(await readFile(join(folder, 'policy.yaml'), 'utf8')))).toBe(true)
})
