import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CaseIntent, type SigningDomain, typedIntent } from 'polgate-fixtures/caseIntent.ts'
import { type FixtureHost, startFixtureHost } from 'polgate-fixtures/host/fixtureHost.ts'
import { hashTypedData } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ran, runMain } from '../testing/runMain.ts'

const fixtures = fileURLToPath(new URL('../../../fixtures', import.meta.url))
const packaged = join(fixtures, 'packages/counterparty-risk')
const exchanges = join(packaged, 'exchanges.yaml')
const simulate = (...args: string[]) => runMain('policy', 'simulate', ...args)

let folder: string
const file = (name: string) => join(folder, name)
async function write(name: string, content: string) {
  await writeFile(file(name), content)
  return file(name)
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-policy-'))
})
afterAll(() => rm(folder, { recursive: true }))

const source = `package policy

default allow := false

allow if count(deny) == 0

deny contains "the price is too high" if data.wasm.feed.price > data.params.most

deny contains "the value is too high" if input.value > 1000000000000000000
`
const intent = {
  from: `0x${'1A'.repeat(20)}`,
  to: `0x${'2b'.repeat(20)}`,
  value: '0xde0b6b3a7640001',
  data: '0x',
  chain_id: '1',
  function_signature: '0x',
}
/** Removes a member of `policy.yaml` that has a line of its own. */
async function without(member: string, directory: string): Promise<void> {
  const path = join(directory, 'policy.yaml')
  const lines = (await readFile(path, 'utf8')).split('\n')
  await writeFile(path, lines.filter((line) => !line.includes(`${member}:`)).join('\n'))
}

/** Options for a policy without oracles. */
const plain = async (changes: Record<string, unknown> = {}) => [
  ...['--policy', await write('policy.rego', source)],
  ...['--params', await write('params.json', '{"most": 5.0}')],
  ...['--intent', await write('intent.json', JSON.stringify({ ...intent, ...changes }))],
]

describe('polgate policy simulate', { timeout: 120_000 }, () => {
  test('a package with its recorded exchanges: decision, data and times', async () => {
    const ran = await simulate(packaged, '--replay', exchanges, '--strict', '--expect', 'allow')
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stdout).toMatch(/^ALLOW {2}policy\.allow is true\n {2}params /)
    expect(ran.stdout).toMatch(
      /counterparty_risk (load|transpile) .* ms run .* ms \(1 call\), rego .* ms, total/,
    )
  })

  test('the tests of the package pass', async () => {
    const files = ['policy.rego', 'policy_test.rego'].map((name) => join(packaged, name))
    expect((await runMain('opa', 'test', ...files)).stdout).toContain('PASS: 7/7')
  })

  test('--json is the result of svc_simulatePolicy, with reasons and stages', async () => {
    const { code, stdout } = await simulate(packaged, '--replay', exchanges, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      success: true,
      evaluation_result: {
        policy: await readFile(join(packaged, 'policy.rego'), 'utf8'),
        parsed_intent: { to: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc', chain_id: 31337 },
        entrypoint: 'policy.allow',
        result: true,
        expire_after: 0,
      },
      error: null,
      allow: true,
      reasons: [],
      timings: {
        rego: expect.any(Number),
        oracles: { counterparty_risk: { run: expect.any(Number), http: [{ status: 200 }] } },
      },
    })
  })

  test('--data replaces oracles; reasons; exact numbers', async () => {
    const args = [...(await plain()), '--data', '{"feed":{"price":7.50}}']
    const ran = await simulate(...args, '--expect', 'deny')
    expect(ran.code).toBe(0)
    expect(ran.stdout).toContain(
      'DENY  policy.allow is false\n' +
        '  reason  the price is too high\n' +
        '  reason  the value is too high\n',
    )
    const json = await simulate(...args, '--json')
    expect(json.stdout).toContain('"value":1000000000000000001')
    expect(json.stdout).toContain('"wasm":{"feed":{"price":7.5}}')
  })

  test('exit 1 for another decision than --expect', async () => {
    const ran = await simulate(...(await plain({ value: '0x1' })), '--expect', 'deny')
    expect(ran).toMatchObject({
      code: 1,
      stderr: 'error: expected deny, but the decision is allow\n',
    })
  })

  test('control characters of a policy do not reach the terminal', async () => {
    const hostile = 'package policy\n\nallow := false\n\ndeny contains "\\u001b[2Jhidden\\nALLOW"\n'
    const args = ['--policy', await write('hostile.rego', hostile)]
    const ran = await simulate(...(await plain()).slice(2), ...args)
    expect(ran.stdout).toContain('  reason  \ufffd[2Jhidden ALLOW\n')
  })

  test('a decision other than true is a deny', async () => {
    const args = ['--policy', await write('cap.rego', 'package policy\n\nallow := "CAP"\n')]
    const given = [...(await plain()).slice(2), ...args]
    expect((await simulate(...given, '--expect', 'deny')).stdout).toContain(
      'DENY  policy.allow is "CAP"',
    )
  })

  test('parameters that do not match their schema fail as in a task', async () => {
    const schema = await write('params.schema.json', '{"properties":{"most":{"type":"string"}}}')
    const ran = await simulate(...(await plain()), '--params-schema', schema)
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain(
      'error: Rego evaluation failed: policy params do not match their schema: most must be string',
    )
  })

  test('a failure of the policy has the message of the service', async () => {
    const ran = await simulate(...(await plain()), '--entrypoint', 'policy.alow', '--json')
    expect(ran.code).toBe(1)
    expect(JSON.parse(ran.stdout)).toMatchObject({
      success: false,
      evaluation_result: null,
      error: "Rego evaluation failed: undefined rule 'policy.alow'",
      allow: null,
    })
  })

  test('an invalid signature fails as in the service', async () => {
    const ran = await simulate(...(await plain()), '--intent-signature', '0x12')
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain('Failed to encode intent signature')
    expect(ran.stderr).toContain('expected exactly 65 bytes')
  })

  test('an intent for another chain prints a note', async () => {
    const args = await plain()
    expect((await runMain('--chain-id', '5', 'policy', 'simulate', ...args)).stderr).toContain(
      'note: the intent is for chain 1; a client on chain 5 would refuse it',
    )
    expect((await runMain('--chain-id', '1', 'policy', 'simulate', ...args)).stderr).toBe('')
  })

  test('missing secrets are reported as by the service', async () => {
    const copy = file('without-secrets')
    await cp(packaged, copy, { recursive: true })
    await without('testSecrets', copy)
    const ran = await simulate(copy)
    expect(ran).toMatchObject({ code: 1, stdout: '' })
    expect(ran.stderr).toContain('error: Missing secrets for 1 PolicyData contract(s)')
  })
})

describe('two oracles', { timeout: 120_000 }, () => {
  let host: FixtureHost
  beforeAll(async () => {
    host = await startFixtureHost()
  })
  afterAll(() => host.stop())

  test('get the arguments of both, as in a task, and have timings by name', async () => {
    const wat = await readFile(join(fixtures, 'oracles/echo/oracle.wat'), 'utf8')
    const component = await write('echo.wat', wat)
    const policy = 'package policy\n\nallow if data.wasm.echo.n == 2\n'
    const args = [
      ...(await plain()).slice(2),
      ...['--policy', await write('two.rego', policy)],
      ...['--oracle', `first=${component}`, '--oracle', `second=${component}`],
      ...['--wasm-args', 'second={"n":2}', '--json'],
    ]
    const ran = await simulate(...args, '--wasm-args', 'first={"m":1}')
    // Decision R5: the last one wins.
    expect(JSON.parse(ran.stdout)).toMatchObject({
      allow: true,
      evaluation_result: { policy_params_and_data: { wasm: { echo: { m: 1, n: 2 } } } },
      timings: { oracles: { first: {}, second: {} } },
    })
    const refused = await simulate(...args, '--wasm-args', 'first={"n":1}')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(
      'the oracles first and second have different values of the argument n',
    )
  })

  test('are recorded and replayed together', async () => {
    const pack = file('pair')
    const values = { PRICE_FEED_URL: host.url, PRICE_API_KEY: 'fixture-price-feed-key' }
    for (const name of ['a', 'b']) {
      const at = join(pack, 'oracles', name)
      await mkdir(at, { recursive: true })
      await cp(join(fixtures, 'oracles/price'), at, { recursive: true })
      await writeFile(join(at, 'secrets.json'), JSON.stringify(values))
      await writeFile(join(at, 'wasm_args.json'), '{"symbol":"BTC"}\n')
    }
    await cp(join(fixtures, 'policies/priced-transfer'), pack, { recursive: true })
    await writeFile(join(pack, 'intent.json'), JSON.stringify(intent))
    await writeFile(
      join(pack, 'params.json'),
      '{"symbol":"BTC","max_usd":60000,"max_age_seconds":60}',
    )
    const oracles = ['a', 'b'].map((id) => {
      const at = `oracles/${id}`
      const secrets = `secretsSchema: ${at}/secrets.schema.json, testSecrets: ${at}/secrets.json`
      return `  - { id: ${id}, source: ${at}/oracle.js, wasmArgs: ${at}/wasm_args.json, ${secrets} }\n`
    })
    await writeFile(
      join(pack, 'policy.yaml'),
      `name: pair\npolicy: policy.rego\nparams: params.json\nintent: intent.json\noracles:\n${oracles.join('')}`,
    )
    const path = file('pair.yaml')
    const recorded = await simulate(pack, '--allow-host', host.hostPort, '--record', path, '--json')
    const text = await readFile(path, 'utf8')
    expect(text.match(/oracle: \w/g)).toEqual(['oracle: a', 'oracle: b'])
    expect(text).not.toContain('fixture-price-feed-key')
    host.setMode('error')
    const replayed = await simulate(pack, '--replay', path, '--strict', '--json')
    const resultOf = ({ stdout }: Ran) => JSON.parse(stdout).evaluation_result
    // Includes the age of the price: the replay has the clock of the recording.
    expect(resultOf(replayed)).toEqual(resultOf(recorded))
    expect(resultOf(replayed).policy_params_and_data.wasm.price_feed.price).toBe(60_000)
  })
})

test('a failed call points to the recorded exchanges of the package', async () => {
  const failed = await simulate(packaged)
  expect(failed.stderr).toContain(`note: an HTTP call failed; use --replay ${exchanges}`)
  const replayed = await simulate(packaged, '--replay', exchanges)
  expect(replayed.stderr).not.toContain('note: an HTTP call failed')
}, 120_000)

describe('exit 2 for invalid usage', { timeout: 120_000 }, () => {
  const failing = async (...args: string[]) => {
    const { code, stdout, stderr } = await simulate(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    return stderr
  }

  test.each([
    [['/nowhere'], '/nowhere does not exist'],
    [[tmpdir()], 'has no policy.yaml'],
    [[], '--policy FILE is missing'],
    [[packaged, '--expect', 'maybe'], 'Allowed choices are allow, deny'],
    [[packaged, '--intend', 'x'], 'Did you mean --intent?'],
    [[packaged, '--data', '{', '--replay', exchanges], '--data is not JSON'],
    [[packaged, '--data', '{}', '--oracle', 'a=b.wasm'], '--data and --oracle exclude each other'],
    [[packaged, '--wasm-args', 'counterparty_rsk={}'], 'Did you mean counterparty_risk?'],
    [[packaged, '--secrets-file', 'other=x.json'], 'unknown oracle other'],
    [[packaged, '--oracle', 'two=b.wasm', '--secrets-file', 'x.json'], 'requires NAME=FILE'],
    [[packaged, '--secrets-file', '/nowhere.json'], '/nowhere.json does not exist'],
    [[packaged, '--intent', '/nowhere.json'], '/nowhere.json does not exist'],
    [[packaged, '--wasm-args', '{"address":"0x1"}', '--replay', exchanges], 'has no answer to'],
  ])('%j', async (args, text) => {
    expect(await failing(...args)).toContain(text)
  })

  test.each([
    [{ value: '0x00' }, 'Invalid request format: intent.value must be hex quantity'],
    [{ to: undefined }, 'Invalid request format: intent.to is required'],
    [{ chain_id: 1 }, 'Invalid request format: intent.chain_id must be string'],
  ])('an intent that the gateway would refuse: %j', async (changes, text) => {
    expect(await failing(...(await plain(changes)))).toContain(text)
  })

  test('secrets for an oracle without a secrets schema', async () => {
    const copy = file('without-schema')
    await cp(packaged, copy, { recursive: true })
    await without('secretsSchema', copy)
    expect(await failing(copy)).toContain('counterparty_risk has secrets but no secretsSchema')
    const secrets = join(packaged, 'oracles/counterparty_risk/secrets.json')
    await without('testSecrets', copy)
    expect(await failing(copy, '--secrets-file', secrets)).toContain('no secrets schema')
  })

  test('parameters that are not an object', async () => {
    const params = await write('list.json', '[1]')
    const args = [...(await plain()), '--params', params]
    expect(await failing(...args)).toContain('Invalid request format: policy_params must be object')
  })
})

describe('the signing domain of a simulated client', { timeout: 120_000 }, () => {
  const policy = `package policy

default allow := false

allow if input.intent_digest == data.params.digest
`
  const domain = {
    name: 'Vault',
    version: '1',
    chainId: 1,
    verifyingContract: intent.to.toUpperCase().replace('X', 'x'),
  }
  const digest = hashTypedData({
    ...typedIntent({ ...intent, from: intent.from.toLowerCase() } as CaseIntent),
    domain: { ...domain, verifyingContract: intent.to } as SigningDomain,
  })
  const flags = async () => [
    ...['--policy', await write('digest.rego', policy)],
    ...['--params', await write('digest.json', JSON.stringify({ digest }))],
    ...['--intent', await write('intent.json', JSON.stringify(intent))],
  ]

  test('sets input.intent_digest, from an option or a file of the package', async () => {
    const file = await write('domain.json', JSON.stringify(domain))
    expect(await simulate(...(await flags()), '--expect', 'deny')).toMatchObject({ code: 0 })
    const given = await simulate(...(await flags()), '--intent-domain', file, '--expect', 'allow')
    expect(given).toMatchObject({ code: 0 })
    const directory = join(folder, 'signed')
    await mkdir(directory)
    for (const [name, text] of Object.entries({
      'policy.rego': policy,
      'params.json': JSON.stringify({ digest }),
      'intent.json': JSON.stringify(intent),
      'policy.yaml':
        'name: signed\npolicy: policy.rego\nparams: params.json\nintent: intent.json\nintentDomain: intent_domain.json\n',
      'intent_domain.json': JSON.stringify({ ...domain, chainId: '1' }),
    }))
      await writeFile(join(directory, name), text)
    expect(await simulate(directory, '--expect', 'allow')).toMatchObject({ code: 0 })
  })

  test('is refused if it is invalid', async () => {
    for (const [text, error] of [
      ['{"name": 1}', '/name'],
      ['{"chainId": -1}', '/chainId'],
      ['{"verifyingContract": "0x12"}', '/verifyingContract'],
      ['{"more": "x"}', '/more'],
      ['[]', 'the domain'],
    ] as const) {
      const file = await write('domain.json', text)
      const ran = await simulate(...(await flags()), '--intent-domain', file)
      expect(ran.code).toBe(2)
      expect(ran.stderr).toContain(`domain.json: ${error}: `)
    }
  })
})
