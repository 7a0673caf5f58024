import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadPolicyPackage } from '../../package/loadPolicyPackage.ts'
import { packageProblems } from '../../package/packageProblems.ts'
import { runMain } from '../../testing/runMain.ts'
import { paramsOf } from './manifest.ts'
import { argumentsIn, secretsIn } from './sourceReads.ts'

let scratch: string
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'svc-stubs-'))
})
afterEach(() => rm(scratch, { recursive: true }))

const output = () => join(scratch, 'new')
async function imported(files: Readonly<Record<string, unknown>>) {
  for (const [name, content] of Object.entries(files)) {
    const path = join(scratch, 'old', name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return await runMain('policy', 'import', join(scratch, 'old'), '-o', output())
}
const read = async (name: string) => JSON.parse(await readFile(join(output(), name), 'utf8'))

const head = 'package guard\n\ndefault allow := false\n\n'
const oracle = `import { get } from 'acme:provider/secrets@0.1.0'
// The name OLD_API_KEY is of a comment.
export function run(input) {
  const { symbol, limit: most = 3 } = JSON.parse(input)
  const secrets = JSON.parse(new TextDecoder().decode(get().value))
  return JSON.stringify({ feed: { symbol, most, key: secrets.FEED_API_KEY } })
}
`

describe('the id of an oracle', () => {
  test.each([
    ['object.get', 'allow if object.get(data.wasm, "feed", {}).on'],
    ['object.get and a path in a list', 'allow if object.get(data.wasm, ["feed", "on"], false)'],
    [
      'object.get, one inside of the other',
      'allow if object.get(object.get(data.wasm, "feed", {}), "on", false)',
    ],
    ['an alias', 'allow if {\n\twasm := data.wasm\n\tobject.get(wasm, "feed", {}).on\n}'],
    [
      'an alias of a lookup',
      'allow if {\n\tfeed := object.get(data.wasm, "feed", {})\n\tobject.get(feed, "on", false)\n}',
    ],
    ['brackets', 'allow if data["wasm"]["feed"].on'],
  ])('is read with %s', async (_, rule) => {
    const ran = await imported({ 'policy.rego': head + rule, 'policy.js': oracle })
    expect(ran).toMatchObject({ code: 0 })
    expect((await loadPolicyPackage(output())).oracles).toMatchObject([{ id: 'feed' }])
  })

  test('is that of its folder where the policy looks it up by a computed name', async () => {
    const policy = `${head}allow if {\n\tsome name in data.params.names\n\tobject.get(data.wasm, name, {}).on\n}`
    const ran = await imported({ 'policy.rego': policy, 'oracles/feed/oracle.js': oracle })
    expect(ran).toMatchObject({ code: 0 })
    expect((await loadPolicyPackage(output())).oracles).toMatchObject([{ id: 'feed' }])
  })
})

test('a folder with an example and no oracle says so', async () => {
  const ran = await imported({
    'policy.rego': `${head}allow if data.wasm.a.on == data.wasm.b.on`,
    'src/example.ts': 'console.log("an example")\n',
  })
  expect(ran.code).toBe(2)
  expect(ran.stderr).toContain(
    'has no source of an oracle, but the policy reads data.wasm.a, data.wasm.b',
  )
})

test('what an oracle and a policy need is written as stubs, which fail the tests until they are filled in', async () => {
  const rule = `allow if {
\tdata.wasm.feed.price < data.params.limits.max
\tdata.params.on
\tinput.value < object.get(data.params, "most", 7)
}
`
  const ran = await imported({ 'policy.rego': head + rule, 'policy.js': oracle })
  expect(ran.code).toBe(0)
  expect(ran.stderr).not.toContain('does not give it')
  expect(ran.stderr.match(/params\.json/g)).toHaveLength(1)
  expect(await read('params.json')).toEqual({
    limits: { max: { fillIn: 'data.params.limits.max' } },
    on: { fillIn: 'data.params.on' },
  })
  expect(await read('oracles/feed.args.json')).toEqual({
    symbol: { fillIn: 'argument symbol' },
    limit: { fillIn: 'argument limit' },
  })
  expect(await read('oracles/feed.secrets.schema.json')).toMatchObject({
    required: ['FEED_API_KEY'],
    additionalProperties: false,
  })
  expect(await read('oracles/feed.test-secrets.json')).toEqual({
    FEED_API_KEY: 'test-FEED_API_KEY',
  })
  const problems = await packageProblems(await loadPolicyPackage(output()))
  expect(problems.map(({ message }) => message.slice(message.lastIndexOf('/') + 1))).toEqual([
    'params.json:1:18 max: data.params.limits.max is to be filled in',
    'params.json:1:60 on: data.params.on is to be filled in',
    'feed.args.json:1:11 symbol: argument symbol is to be filled in',
    'feed.args.json:1:48 limit: argument limit is to be filled in',
  ])
  await writeFile(join(output(), 'params.json'), '{"limits":{"max":2},"on":true}')
  await writeFile(join(output(), 'oracles/feed.args.json'), '{"symbol":"ETH","limit":1}')
  expect(await packageProblems(await loadPolicyPackage(output()))).toEqual([])
})

describe('a manifest', () => {
  const schema = {
    type: 'object',
    properties: {
      max: { type: 'number', default: 5 },
      name: { type: 'string', description: 'of the fund' },
    },
    required: ['max', 'name'],
  }
  const filled = { max: 5, name: { fillIn: 'string: of the fund' } }
  const { properties } = schema
  test.each([
    ['with values', { params: { max: 1, name: 'a' } }, { max: 1, name: 'a' }, undefined],
    ['with a schema in place of the values', { params: schema }, filled, schema],
    [
      'with a schema beside the values',
      { params: { max: 1, name: 'a' }, params_schema: schema },
      { max: 1, name: 'a' },
      schema,
    ],
    ['with a schema alone', { id: 'x', params_schema: schema }, filled, schema],
    [
      'with a schema for each',
      { policy_params: properties },
      filled,
      { ...schema, required: ['name'] },
    ],
    [
      'with a list of them',
      {
        parameters: [
          { name: 'max', ...properties.max, required: true },
          { ...properties.name, name: 'name' },
        ],
      },
      filled,
      schema,
    ],
    ['that is the schema', schema, filled, schema],
    ['that is none', { max: 1, name: 'a' }, { max: 1, name: 'a' }, undefined],
    [
      'whose name the policy reads',
      { max: { a: 1 }, params: { max: 2 } },
      { max: { a: 1 }, params: { max: 2 } },
      undefined,
    ],
  ])('%s', async (_, manifest, params, own) => {
    const rule = 'allow if {\n\tdata.params.max > 1\n\tdata.params.name\n}\n'
    expect((await imported({ 'policy.rego': head + rule, 'manifest.json': manifest })).code).toBe(0)
    expect(await read('params.json')).toEqual(params)
    const loaded = await loadPolicyPackage(output())
    expect(loaded.paramsSchema && JSON.parse(loaded.paramsSchema.text)).toEqual(own)
  })

  test('described by the schema of a file becomes what the policy reads, with its part of the schema', () => {
    const whole = { properties: { params: schema, version: { type: 'string' } } }
    const document = { params: { max: 1, name: 'a' }, version: '1' }
    const own = { value: document.params, schema, from: 'params' }
    expect(paramsOf(document, { schema: whole, reads: ['max', 'name'] })).toEqual(own)
  })

  test('keeps every value that is not described', () => {
    const value = fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.jsonValue(), { minKeys: 1 })
    fc.assert(
      fc.property(value, (params) => {
        fc.pre(
          !('type' in params) &&
            Object.values(params).every((each) => typeof Object(each).type !== 'string'),
        )
        const reads = Object.keys(params)
        fc.pre(!reads.includes('params'))
        expect(paramsOf({ params }, { schema: undefined, reads }).value).toEqual(params)
        expect(paramsOf(params, { schema: undefined, reads }).value).toBe(params)
      }),
    )
  })
})

describe('what a source reads', () => {
  test.each([
    ['function run(input) { return f(JSON.parse(input)) }\nfunction f({ a, b: c }) {}', ['a', 'b']],
    [
      'export const run = (raw) => { const args = JSON.parse(raw); return args.a + args?.b }',
      ['a', 'b'],
    ],
    ['export function run(input) { return JSON.parse(input).a }', ['a']],
    ['export function run(input) { return JSON.parse(body).a }', []],
    ['export function run() { return 1 }', []],
  ])('arguments of %s', (source, expected) => {
    expect(argumentsIn(source)).toEqual(expected)
  })

  test.each([
    [
      "import { get } from 'x:y/secrets@1.0.0'\nconst { A_KEY: key, B_KEY } = f()",
      ['A_KEY', 'B_KEY'],
    ],
    ["import { get } from 'x:y/secrets'\nsecret('C_KEY')", ['C_KEY']],
    ["import { fetch } from 'x:y/http'\nsecret('C_KEY')", undefined],
  ])('secrets of %s', (source, expected) => {
    expect(secretsIn(source)).toEqual(expected)
  })
})
