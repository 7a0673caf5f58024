import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { devPrivateKeys } from 'polgate-chain/accounts.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { CannotRun } from '../runner/conformanceError.ts'
import { environmentSchemaPlace, environmentSchemaText } from './environment.ts'
import { findTarget } from './findTarget.ts'
import { readTargetFile } from './targetFile.ts'
import { schemaPlace, targetSchemaText } from './targetSchema.ts'
import { presets, targetText } from './targetTemplate.ts'

const directory = mkdtempSync(join(tmpdir(), 'target-text-'))
afterAll(() => rmSync(directory, { recursive: true }))

const path = join(directory, 'svc-target.yaml')
const read = (text: string, env = {}) => {
  writeFileSync(path, text)
  return readTargetFile(path, env)
}
/** What a reader is told, without the directory. */
const told = (text: string, env = {}) => {
  try {
    read(text, env)
  } catch (error) {
    expect(error).toBeInstanceOf(CannotRun)
    const { message, hint = '' } = error as CannotRun
    return `${message} | ${hint}`.replaceAll(`${directory}/`, '')
  }
  throw new Error('it was read')
}

describe('what a target file says', () => {
  test('comes with the values of the environment in it', () => {
    const file = read(
      [
        'gatewayUrl: https://${GATEWAY_HOST:-a.example}',
        'keys: { read: "${MY_KEY}", stranger: "${NO_SUCH:-}" }',
        'limits:\n  maxRps: ${RPS}\n  readOnly: ${READ_ONLY:-true}',
      ].join('\n'),
      { MY_KEY: '0123', RPS: '20' },
    )
    expect(file.gatewayUrl).toBe('https://a.example')
    expect(file.keys).toEqual({ read: '0123' })
    expect(file.limits).toEqual({ maxRps: 20, readOnly: true })
  })

  test('may leave an address without quotation marks', () => {
    const address = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
    expect(
      read(`chain:
  rpcUrl: http://a.example
  chainId: 1
  taskManager: ${address}
  operatorRegistry: ${address}`).chain?.taskManager,
    ).toBe(address)
  })

  test.each([
    [
      'a missing variable',
      'keys:\n  read: ${NONE_SUCH}',
      'svc-target.yaml:2:9 keys.read needs NONE_SUCH, which the environment has not | Set NONE_SUCH; ${NONE_SUCH:-} says that it may be missing.',
    ],
    [
      'a missing address',
      'gatewayUrl: ${HOST}',
      'svc-target.yaml:1:13 gatewayUrl needs HOST, which the environment has not | Set HOST, or write ${HOST:-a default}.',
    ],
    [
      'an unknown member',
      'gatewayUrl: http://a.example\ngatewayURL: http://a.example',
      "svc-target.yaml:2:1 a target file knows no 'gatewayURL' in the top | Did you mean 'gatewayUrl'?",
    ],
    [
      'one further down',
      'limits:\n  maxRp: 3',
      "svc-target.yaml:2:3 a target file knows no 'maxRp' in limits | Did you mean 'maxRps'?",
    ],
    [
      'a feature that nobody knows',
      'features: [webhook]',
      "svc-target.yaml:1:12 features.0 names 'webhook', which is none of webhooks, websocket, explorer, second-network, secrets, privacy-key, identity, confidential, batch, discover | Did you mean 'webhooks'?",
    ],
    ['a wrong value', 'limits:\n  budget: 0', 'svc-target.yaml:2:3 limits.budget must be >= 1 | '],
    [
      'two ways at once',
      'gatewayUrl: http://a.example\ncommand: { run: [a] }',
      'svc-target.yaml:2:1 names gatewayUrl and command: a target is one of them | ',
    ],
    ['no YAML', 'keys: [', /^svc-target.yaml:1:8 is no YAML: .* \| JSON is read too\.$/],
    ['nothing', '', 'svc-target.yaml is no target file: it has no members | See svc init --help.'],
  ])('%s is told with line and column', (_, text, expected) => {
    if (typeof expected === 'string') expect(told(text)).toBe(expected)
    else expect(told(text)).toMatch(expected)
  })

  test('holds no secret: one that stands there is refused, and not repeated', () => {
    const secret = 'svc_live_0123456789abcdef'
    const text = told(`gatewayUrl: http://a.example\nkeys:\n  read: ${secret}`)
    expect(text).toBe(
      'svc-target.yaml:3:9 keys.read holds a secret as plain text: it would be in every copy of the file | Write read: ${SVC_KEY_READ}, and set SVC_KEY_READ in the environment.',
    )
    const withDefault = told(`keys: { write: "\${KEY:-${secret}}" }`)
    expect(withDefault).toContain('a default would be a secret in the file')
    const inner = told(`keys: { write: "a\${KEY}${secret}" }`, { KEY: 'x' })
    expect(inner).toContain('plain text')
    const deployer = told(`chain: { deployer: "0x${'ab'.repeat(32)}" }`)
    expect(deployer).toContain('chain.deployer holds a secret')
    for (const each of [text, withDefault, inner, deployer]) {
      expect(each).not.toContain(secret)
      expect(each).not.toContain('abab')
    }
  })

  test('may hold the keys of the development mnemonic, which everybody knows', () => {
    const address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
    const account = `accounts: { owner: { address: "${address}", privateKey: "${devPrivateKeys[0]}" } }`
    expect(read(account).accounts?.owner?.privateKey).toBe(devPrivateKeys[0])
  })
})

describe('what is published', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const hint = 'out of date: run npm run spec'

  test.each([
    [schemaPlace, targetSchemaText],
    [environmentSchemaPlace, environmentSchemaText],
  ])('%s is fresh', (place, text) => {
    expect(JSON.parse(readFileSync(`${root}${place}`, 'utf8')), hint).toEqual(JSON.parse(text()))
  })

  test.each(presets)('a file of svc init %s is one, for an editor and for the suite', (preset) => {
    const found = {
      gatewayUrl: 'https://a.example',
      brand: {
        methodPrefix: 'acme_',
        topicPrefix: 'acme.task.',
        witPackage: 'service:provider',
        regoNamespace: 'service',
        signatureHeader: 'X-Acme-Signature',
        networkHeader: 'X-Acme-Network',
      },
      updatesUrl: 'wss://a.example/ws',
      explorerUrl: undefined,
      stack: undefined,
      notes: [],
    }
    const env = { SVC_KEY_READ: 'a-secret-key', SVC_KEY_STRANGER: 'another-key' }
    const text = targetText({ preset, found, env, schema: './target.schema.json' })
    expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=./target.schema.json')
    for (const secret of Object.values(env)) expect(text).not.toContain(secret)
    const validate = new Ajv({ strict: false }).compile(JSON.parse(targetSchemaText()))
    expect(validate(parse(text)), JSON.stringify(validate.errors)).toBe(true)
    const file = read(text, env)
    expect(file.keys).toEqual(
      preset === 'command' || preset === 'image'
        ? undefined
        : { read: 'a-secret-key', stranger: 'another-key' },
    )
  })
})

describe('which target is meant', () => {
  const cwd = directory
  writeFileSync(join(directory, 'svc-target.staging.yaml'), 'gatewayUrl: http://a.example')

  test('the flag wins over SVC_TARGET, and that over a file that is found', () => {
    writeFileSync(path, 'gatewayUrl: http://a.example')
    const env = { SVC_TARGET: 'local' }
    expect(findTarget('http://b.example', { cwd, env })).toEqual({
      kind: 'url',
      url: 'http://b.example',
    })
    expect(findTarget(undefined, { cwd, env })).toEqual({ kind: 'local' })
    expect(findTarget(undefined, { cwd, env: {} })).toEqual({
      kind: 'file',
      path,
      found: 'discovered',
    })
    rmSync(path)
    expect(findTarget(undefined, { cwd, env: {} })).toEqual({ kind: 'local' })
  })

  test('a name is that of a file, and an unknown one gets the nearest', () => {
    const named = { kind: 'file', path: join(cwd, 'svc-target.staging.yaml'), found: 'named' }
    expect(findTarget('staging', { cwd, env: {} })).toEqual(named)
    expect(findTarget('./svc-target.staging.yaml', { cwd, env: {} })).toEqual(named)
    try {
      findTarget('stagng', { cwd, env: {} })
      expect.unreachable()
    } catch (error) {
      expect((error as CannotRun).hint).toContain("Did you mean 'staging'?")
    }
  })
})
