import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostsIn } from './derivedTests.ts'
import { foreignLayout } from './foreignLayout.ts'

let scratch: string
let count = 0
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'svc-layout-'))
})
afterAll(() => rm(scratch, { recursive: true }))

async function layoutOf(...files: readonly string[]) {
  count += 1
  const folder = join(scratch, String(count))
  for (const name of files) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, /\/(feed|built)\.\w+$/.test(name) ? 'export function run() {}' : '')
  }
  return foreignLayout(folder)
}

test.each([
  [
    'a flat folder',
    ['policy.rego', 'policy.js', 'params_schema.json', 'secrets_schema.json', 'wasm_args.json'],
    {
      policy: 'policy.rego',
      source: 'policy.js',
      secrets: 'secrets_schema.json',
      args: 'wasm_args.json',
    },
  ],
  [
    'nested folders',
    [
      'rego/guard.rego',
      'rego/guard_test.rego',
      'js/feed.js',
      'schemas/secrets.schema.json',
      'config/args.json',
    ],
    {
      policy: 'rego/guard.rego',
      source: 'js/feed.js',
      secrets: 'schemas/secrets.schema.json',
      args: 'config/args.json',
    },
  ],
  [
    'sources and what is built of them',
    [
      'policy.rego',
      'src/index.ts',
      'dist/policy.wasm',
      'node_modules/x/index.js',
      'src/index.test.ts',
      'vitest.config.ts',
    ],
    { policy: 'policy.rego', source: 'src/index.ts' },
  ],
  [
    'only what is built',
    ['policy.rego', 'target/policy.wasm'],
    { policy: 'policy.rego', source: 'target/policy.wasm' },
  ],
  [
    'one oracle in a folder of oracles',
    ['main.rego', 'oracles/feed.js'],
    { policy: 'main.rego', source: 'oracles/feed.js' },
  ],
  [
    'an example that exports nothing, and what is built',
    ['policy.rego', 'src/example.ts', 'dist/built.js'],
    { policy: 'policy.rego', source: 'dist/built.js' },
  ],
  ['an example that exports nothing', ['policy.rego', 'src/example.ts'], { policy: 'policy.rego' }],
  ['no oracle', ['only.rego', 'README.md'], { policy: 'only.rego' }],
])('%s', async (_, files, expected) => {
  const { policy, oracles } = await layoutOf(...files)
  const [oracle, ...others] = oracles
  expect(others).toEqual([])
  expect({
    ...{ policy, source: oracle?.source },
    ...{ secrets: oracle?.secretsSchema, args: oracle?.wasmArgs },
  }).toEqual({ source: undefined, secrets: undefined, args: undefined, ...expected })
})

test('several oracles have the files of their folders alone', async () => {
  const { oracles } = await layoutOf(
    ...['policy.rego', 'secrets_schema.json', 'oracles/a/oracle.js', 'oracles/a/args.json'],
    ...['oracles/b/policy.wat', 'oracles/c.ts'],
  )
  expect(
    oracles.map(({ id, source, wasmArgs, secretsSchema }) => [id, source, wasmArgs, secretsSchema]),
  ).toEqual(
    [
      ['a', 'oracles/a/oracle.js', 'oracles/a/args.json', undefined],
      ['b', 'oracles/b/policy.wat', undefined, undefined],
      ['c', 'oracles/c.ts', undefined, undefined],
    ].sort(
      (one, other) =>
        oracles.findIndex(({ id }) => id === one[0]) -
        oracles.findIndex(({ id }) => id === other[0]),
    ),
  )
})

test('two policies are refused, and names of a recording are found', async () => {
  await expect(layoutOf('a/x.rego', 'b/y.rego')).rejects.toThrow(
    'several policies: a/x.rego, b/y.rego',
  )
  expect(await layoutOf('policy.rego', 'rec/site.har')).toMatchObject({ exchanges: 'rec/site.har' })
})

test.each([
  ["fetch({ url: 'https://API.example.com/v1/' + x })", ['api.example.com']],
  [`fetch({ url: \`https://a.example.com:8443/\${x}\` })`, ['a.example.com:8443']],
  ['const base = "http://b.example.com"', ['b.example.com']],
  ['// see https://docs.example.com/x\n/* https://more.example.com */', []],
  [`fetch({ url: \`https://\${host}/x\` })`, []],
])('hosts in %j', (source, hosts) => {
  expect(hostsIn(source)).toEqual(hosts)
})
