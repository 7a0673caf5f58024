import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEgress } from 'polgate-service/oracles/egress.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mockStack } from '../../stack/mockStack.ts'
import { runMain } from '../../testing/runMain.ts'
import { loadMocks } from './loadMocks.ts'

const oracle = `import { fetch } from 'acme:provider/http@0.1.0'
import { get } from 'acme:provider/secrets@0.1.0'

export function run(input) {
  const { account } = JSON.parse(input)
  const { RPC_URL } = JSON.parse(new TextDecoder().decode(get().value))
  const call = (id, method, params) => {
    const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    const response = fetch({ url: RPC_URL, method: 'POST', headers: [], body })
    const answer = JSON.parse(new TextDecoder().decode(response.body))
    if (answer.id !== id) throw new Error('another id')
    return answer.result
  }
  try {
    const at = Date.parse(call(1, 'time', []))
    const balance = call(2, 'eth_getBalance', [account, 'latest'])
    return JSON.stringify({ chain: { balance: Number(balance), age: Date.now() - at } })
  } catch (error) {
    return JSON.stringify({ chain: { error: String(error?.payload ?? error.message) } })
  }
}
`
const policy = `package guard

default allow := false

allow if {
\tinput.to == "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc"
\tobject.get(data.wasm, "chain", {}).balance >= data.params.least
\tdata.wasm.chain.age == 5000
\tnot data.wasm.chain.error
}
`
const mocks = `hosts:
  "\${secret:RPC_URL}":
    POST /:
      - { when: { json: { method: time } }, json: { id: { $request: /id }, result: { $now: -5s, $as: iso } } }
      - when: { json: { method: eth_getBalance, params: ["0x1", latest] } }
        json: { id: { $request: /id }, result: "0x10" }
`
const cases = `cases:
  - { name: enough, expect: allow }
  - name: too little
    mocks:
      "\${secret:chain/RPC_URL}":
        POST /: { when: { json: { method: eth_getBalance } }, json: { id: 2, result: "0x1" } }
    expect: deny
  - { name: another account, wasmArgs: { chain: { account: "0x2" } }, expect: deny }
`

let scratch: string
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'svc-secret-host-'))
})
afterAll(() => rm(scratch, { recursive: true }))

test('an oracle that calls JSON-RPC at a secret host is imported, and tested with two files by hand', async () => {
  const old = join(scratch, 'old')
  const folder = join(scratch, 'new')
  const at = (name: string) => join(folder, name)
  await mkdir(old)
  await writeFile(join(old, 'policy.rego'), policy)
  await writeFile(join(old, 'policy.js'), oracle)
  await writeFile(join(old, 'params.json'), '{"least": 5}')
  await writeFile(join(old, 'wasm_args.json'), '{"account": "0x1"}')
  expect((await runMain('policy', 'import', old, '-o', folder)).code).toBe(0)
  const secrets = JSON.parse(await readFile(at('oracles/chain.test-secrets.json'), 'utf8'))
  expect(secrets).toEqual({ RPC_URL: 'https://rpc-url.example.com' })
  expect(await readFile(at('mocks.yaml'), 'utf8')).toContain(`\${secret:chain/RPC_URL}`)
  await writeFile(at('mocks.yaml'), mocks)
  await writeFile(at('cases.yaml'), cases)
  const { code, stdout } = await runMain('policy', 'test', folder, '--json')
  const report = JSON.parse(stdout)
  expect(report.cases.map(({ problem }: { problem: unknown }) => problem)).toEqual([
    null,
    null,
    null,
  ])
  expect({ code, passed: report.passed }).toEqual({ code: 0, passed: true })
  expect(report.failOpen.length).toBeGreaterThan(5)
  for (const { host } of report.failOpen) expect(host).toBe(`\${secret:RPC_URL}`)
  const { unanswered } = report.cases[2]
  expect(unanswered).toEqual([`POST https://\${secret:RPC_URL}/`])
  expect(stdout).not.toContain('rpc-url.example.com')
}, 300_000)

test('mocks of a stack take the secrets of --secrets-file; without, the error says so', async () => {
  const file = join(scratch, 'mocks.yaml')
  await writeFile(file, mocks)
  await expect(loadMocks(file, new Map())).rejects.toMatchObject({
    message: expect.stringContaining('mocks.yaml:2:3 the host is the secret RPC_URL'),
    hint: expect.stringContaining('polgate start takes it from --secrets-file'),
  })
  const secrets = new Map([['', { RPC_URL: 'https://node.example.org:8443/v2/key' }]])
  expect([...((await loadMocks(file, secrets)).secretHosts ?? [])]).toEqual([
    ['node.example.org:8443', `\${secret:RPC_URL}`],
  ])
  const stack = await mockStack([file], secrets)
  const egress = stack.egress(createEgress({}))
  await egress.close()
  await stack.close()
  const help = await runMain('start', '--help')
  expect(help.stdout).toContain('--secrets-file <[oracle=]file>')
})

test.each([
  ['{ $now: soon }', '$now must be'],
  ['{ $now: 0, $as: text }', '$as must be one of'],
  ['[{ $request: id }]', '$request must be a JSON pointer'],
])('a value that cannot be computed is refused with its place: %s', async (json, fault) => {
  const file = join(scratch, 'wrong.yaml')
  await writeFile(
    file,
    `hosts:\n  a.example.com:\n    /x:\n      - { status: 500 }\n      - { json: ${json} }\n`,
  )
  await expect(loadMocks(file, new Map())).rejects.toThrow(`wrong.yaml:5:9 ${fault}`)
})
