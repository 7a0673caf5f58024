import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadPolicyPackage } from '../../package/loadPolicyPackage.ts'
import { runMain } from '../../testing/runMain.ts'

let scratch: string
let folder: string
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'svc-import-'))
  folder = join(scratch, 'old')
})
afterEach(() => rm(scratch, { recursive: true }))

async function write(files: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
}

const output = () => join(scratch, 'new')
const imported = (...more: string[]) => runMain('policy', 'import', folder, '-o', output(), ...more)
const read = (name: string) => readFile(join(output(), name), 'utf8')

const rego = `package release.guard

default allow := false

allow if count(deny) == 0

feed := data.wasm.release_feed

deny contains "feed failed" if not known

deny contains "version is not released" if {
	known
	not released
}

deny contains "signature is missing" if not input.intent_signature

deny contains "signer is unknown" if {
	input.intent_signature
	not signed
}

known if {
	not feed.error
	is_number(feed.version)
}

released if feed.version >= data.params.min_version

signed if {
	signer := lower(acme.crypto.ecdsa_recover_signer_personal(input.intent_signature, "release"))
	signer in data.params.signers
}
`

const source = `import { fetch } from "acme:provider/http@0.1.0"
import { get } from 'acme:provider/secrets@0.1.0'
const text = (bytes) => new TextDecoder().decode(bytes)
export function run(input) {
  try {
    const { name } = JSON.parse(input)
    const { TOKEN } = JSON.parse(text(get().value))
    const response = fetch({
      url: 'https://releases.example.com/v1/' + name,
      method: 'GET',
      headers: [['authorization', 'Bearer ' + TOKEN]],
      body: undefined,
    })
    if (response.status !== 200) throw new Error('feed answered ' + response.status)
    const { version } = JSON.parse(text(response.body))
    if (typeof version !== 'number') throw new Error('no version')
    return JSON.stringify({ release_feed: { version } })
  } catch (error) {
    return JSON.stringify({ release_feed: { error: String(error?.payload ?? error) } })
  }
}
`

/** A package as another brand lays it out. */
const foreign = {
  'policy.rego': rego,
  'policy_test.rego': `package release.guard_test

import data.release.guard

test_a_failed_feed_is_denied if {
	guard.deny == {"feed failed", "signature is missing"} with input as {}
		with data.params as {"min_version": 2, "signers": []}
		with data.wasm as {"release_feed": {"error": "x"}}
}
`,
  'policy.js': source,
  'params_schema.json': {
    type: 'object',
    properties: { min_version: { type: 'integer' }, signers: { type: 'array' } },
    required: ['min_version', 'signers'],
  },
  'policy_params.json': {
    name: 'release guard',
    policy_params: { min_version: 2, signers: ['0x70997970c51812dc3a010c7d01b50e0d17dc79c8'] },
  },
  'secrets_schema.json': { type: 'object', properties: { TOKEN: { type: 'string' } } },
  'secrets.json': { TOKEN: 'token-of-tests' },
  'wasm_args.json': { name: 'core' },
  'intent.json': {
    from: `0x${'1a'.repeat(20)}`,
    to: `0x${'2b'.repeat(20)}`,
    value: 1,
    data: '0x',
    chainId: 31337,
    functionSignature: '0x',
  },
} as const

test('a package of another brand is imported and runs without edits', {
  timeout: 120_000,
}, async () => {
  await write(foreign)
  const before = await readdir(folder)
  const ran = await imported()
  expect(ran.code).toBe(0)
  expect(ran.stderr).toContain('renamed acme.crypto.ecdsa_recover_signer_personal')
  expect(ran.stderr).toContain('renamed acme:provider/http@0.1.0, acme:provider/secrets@0.1.0')
  expect(ran.stderr).toContain('policy_params.json is a manifest')
  expect(ran.stderr).not.toContain('token-of-tests')
  expect(await readdir(folder)).toEqual(before)
  expect(await loadPolicyPackage(output())).toMatchObject({
    name: 'new',
    entrypoint: 'release.guard.allow',
    params: { text: expect.stringContaining('"min_version":2') },
    oracles: [{ id: 'release_feed', wasmArgs: { text: '{"name":"core"}' } }],
  })
  expect(JSON.parse(await read('intent.json'))).toMatchObject({
    value: '0x1',
    chain_id: '0x7a69',
    function_signature: '0x',
  })
  expect(ran.stderr).toContain('mocks.yaml: fill in what releases.example.com answers')
  expect(await read('mocks.yaml')).toContain('fillIn: what releases.example.com answers, by path')
  // The oracle and the policy as operators run them: what the import derived holds.
  const tested = await runMain('policy', 'test', output(), '--json')
  expect(JSON.parse(tested.stdout)).toMatchObject({
    passed: true,
    // It signs off releases, whatever the target of the call.
    warnings: [{ id: 'unrestricted-target' }],
    cases: [{ decision: 'deny' }, { decision: 'deny' }],
  })
  // A case that needs the answer of a host fails, and says what is missing.
  const cases = `${await read('cases.yaml')}  - name: unsigned\n    expect: deny\n`
  await writeFile(join(output(), 'cases.yaml'), cases)
  const unwritten = await runMain('policy', 'test', output())
  expect(unwritten.code).toBe(1)
  expect(unwritten.stdout).toContain(
    'not filled in: GET https://releases.example.com/v1/core: what releases.example.com answers',
  )
})

test('different values of one argument of two oracles are refused, and nothing is written', async () => {
  const oracle = 'export const run = (input) => input\n'
  await write({
    'policy.rego': 'package policy\n\nallow if data.wasm.one.price > data.wasm.two.price\n',
    ...{ 'oracles/one/oracle.js': oracle, 'oracles/one/wasm_args.json': { symbol: 'ETH' } },
    ...{ 'oracles/two/oracle.js': oracle, 'oracles/two/wasm_args.json': { symbol: 'BTC' } },
  })
  const { code, stderr } = await imported()
  expect(code).toBe(2)
  expect(stderr).toContain('the oracles one and two have different values of the argument symbol')
  await expect(read('policy.yaml')).rejects.toThrow('ENOENT')
})

test('oracles in folders, defaults of the schema, another entrypoint, no tests', async () => {
  await write({
    'main.rego': 'package guard\n\ndefault decision := false\n\ndecision if data.params.on\n',
    'params_schema.json': { properties: { on: { default: true } }, required: ['on'] },
    'oracles/one/oracle.js':
      "import { get } from 'service:provider/secrets@0.2.0'\nexport const run = () => '{}'\n",
    'oracles/two/policy.wat': '(component)',
    'oracles/two/wasm_args.json': '{"a": 1}',
    'oracles/empty/notes.txt': '',
  })
  const ran = await imported()
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('next: write cases.yaml') })
  expect(await loadPolicyPackage(output())).toMatchObject({
    entrypoint: 'guard.decision',
    params: { text: '{"on":true}\n' },
    oracles: [{ id: 'one' }, { id: 'two', wasmArgs: { text: '{"a": 1}' } }],
  })
})

describe('what is refused, before anything is written', () => {
  test.each([
    ['no policy', { 'policy.js': '' }, 'has no .rego file'],
    ['several policies', { 'a.rego': '', 'b.rego': '' }, 'has several policies: a.rego, b.rego'],
    ['a package', { 'policy.rego': rego, 'policy.yaml': '' }, 'is a policy package already'],
    [
      'an oracle whose id is unknown',
      { 'policy.rego': 'package a\n\nallow := true\n', 'policy.js': 'export const run = 1' },
      'so the id of policy.js is unknown',
    ],
    [
      'an oracle that may be one of two',
      { 'policy.rego': 'package a\n\nallow if data.wasm.x.a == data.wasm.y.a\n', 'policy.js': '' },
      'data.wasm.x, data.wasm.y: which one is policy.js?',
    ],
    [
      'what is no component',
      { 'policy.rego': rego, 'policy.wasm': '\0asm acme:provider/http@0.2.0' },
      'policy.wasm is not a component of an oracle: not a component',
    ],
    ['no rule that decides', { 'policy.rego': 'package a\n\nx := 1\n' }, 'has no rule allow'],
    ['invalid Rego', { 'policy.rego': 'package a\n\nallow {' }, 'rego_parse_error'],
    [
      'parameters that are not JSON',
      { 'policy.rego': rego, 'params.json': '{', 'policy.js': '' },
      'params.json is not JSON',
    ],
  ])('%s', async (_, files, text) => {
    await write(files)
    const ran = await imported()
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 2, stdout: '' })
    expect(ran.stderr).toContain(text)
    await expect(readdir(output())).rejects.toThrow('ENOENT')
  })

  test('a folder that is not empty', async () => {
    await write({ 'policy.rego': 'package a\n\nallow := true\n' })
    await mkdir(output())
    await writeFile(join(output(), 'mine'), 'x')
    expect((await imported()).stderr).toContain('is not empty')
    expect(await readdir(output())).toEqual(['mine'])
  })
})
