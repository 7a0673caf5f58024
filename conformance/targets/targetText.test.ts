import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { devPrivateKeys } from 'polgate-chain/accounts.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { CannotRun } from '../core/conformanceError.ts'
import { environmentSchemaPath, environmentSchemaText } from './environment.ts'
import { findTarget } from './findTarget.ts'
import { readTargetFile } from './targetFile.ts'
import { schemaPath, targetSchemaText } from './targetSchema.ts'
import { presets, targetText } from './targetTemplate.ts'

const directory = mkdtempSync(join(tmpdir(), 'target-text-'))
afterAll(() => rmSync(directory, { recursive: true }))

const path = join(directory, 'svc-target.yaml')
function read(text: string, env = {}) {
  writeFileSync(path, text)
  return readTargetFile(path, env)
}
/** The text of an error, without the directory. */
function told(text: string, env = {}) {
  try {
    read(text, env)
  } catch (error) {
    expect(error).toBeInstanceOf(CannotRun)
    const { message, hint = '' } = error as CannotRun
    return `${message} | ${hint}`.replaceAll(`${directory}/`, '')
  }
  throw new Error('no error was thrown')
}

describe('the content of a target file', () => {
  test('contains the values of the environment', () => {
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

  test('may omit quotation marks around an address', () => {
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
      'svc-target.yaml:2:9 keys.read needs NONE_SUCH, which is not set | Set NONE_SUCH, or write ${NONE_SUCH:-} if it is optional.',
    ],
    [
      'a missing address',
      'gatewayUrl: ${HOST}',
      'svc-target.yaml:1:13 gatewayUrl needs HOST, which is not set | Set HOST, or write ${HOST:-a default}.',
    ],
    [
      'an unknown member',
      'gatewayUrl: http://a.example\ngatewayURL: http://a.example',
      "svc-target.yaml:2:1 unknown member 'gatewayURL' in the document | Did you mean 'gatewayUrl'?",
    ],
    [
      'one further down',
      'limits:\n  maxRp: 3',
      "svc-target.yaml:2:3 unknown member 'maxRp' in limits | Did you mean 'maxRps'?",
    ],
    [
      'an unknown profile',
      'profiles: [webhook]',
      "svc-target.yaml:1:12 profiles.0 names 'webhook', which is not one of base, tasks, updates, webhooks, simulation, secrets, private-data, explorer, attestation | Did you mean 'webhooks'?",
    ],
    [
      'a number that is too small',
      'limits:\n  budget: 0',
      'svc-target.yaml:2:3 limits.budget is 0, and must be at least 1 | ',
    ],
    [
      'an address of another scheme',
      'gatewayUrl: ftp://a.example',
      'svc-target.yaml:1:1 gatewayUrl is not an address that begins with http:// or https:// | ',
    ],
    [
      'text that is not a number',
      'limits: { maxRps: fast }',
      'svc-target.yaml:1:11 limits.maxRps is a text, and must be a number | ',
    ],
    [
      'an incomplete object',
      'chain:\n  rpcUrl: http://a.example\n  chainId: 1\n  operatorRegistry: "0x5fbdb2315678afecb367f032d93f642f64180aa3"',
      "svc-target.yaml:1:1 chain has no member 'taskManager' | Add taskManager: an address of the chain: 0x and 40 hexadecimal digits.",
    ],
    [
      'an address that is too short',
      'accounts:\n  sender: { address: "0x12" }',
      'svc-target.yaml:2:13 accounts.sender.address is not an address of the chain: 0x and 40 hexadecimal digits | ',
    ],
    [
      'a value instead of an object',
      'keys: [a]',
      'svc-target.yaml:1:1 keys is a list, and must be an object | ',
    ],
    [
      'an empty waiver',
      'notApplicable: { chain: no }',
      'svc-target.yaml:1:18 notApplicable.chain is shorter than the required number of characters, 10 | ',
    ],
    [
      'a profile twice',
      'profiles: [base, base]',
      'svc-target.yaml:1:1 profiles lists a value twice | ',
    ],
    [
      'the list of features of earlier releases',
      'features: [webhooks, identity, batch]',
      "svc-target.yaml:1:1 'features' is replaced by 'profiles', the parts of the service that a run tests | Write instead: profiles: [base, tasks, webhooks, private-data]; add those that the gateway has too, of base, tasks, updates, webhooks, simulation, secrets, private-data, explorer, attestation, or leave profiles out to test all of them; batch is an open point, which every run observes",
    ],
    [
      'two sources of a gateway',
      'gatewayUrl: http://a.example\ncommand: { run: [a] }',
      'svc-target.yaml:2:1 names gatewayUrl and command: use exactly one of them | ',
    ],
    [
      'invalid YAML',
      'keys: [',
      /^svc-target.yaml:1:8 is not valid YAML: .* \| JSON is accepted too\.$/,
    ],
    [
      'nothing',
      '',
      'svc-target.yaml is not a target file: it has no members | See polgate init --help.',
    ],
  ])('%s is reported with line and column', (_, text, expected) => {
    if (typeof expected === 'string') expect(told(text)).toBe(expected)
    else expect(told(text)).toMatch(expected)
  })

  test('contains no secret: a plain-text secret is rejected, and not repeated in the error', () => {
    const secret = 'svc_live_0123456789abcdef'
    const text = told(`gatewayUrl: http://a.example\nkeys:\n  read: ${secret}`)
    expect(text).toBe(
      'svc-target.yaml:3:9 keys.read is a secret in plain text: it would be in every copy of the file | Write read: ${SVC_KEY_READ}, and set SVC_KEY_READ in the environment.',
    )
    const withDefault = told(`keys: { write: "\${KEY:-${secret}}" }`)
    expect(withDefault).toContain('a default would be a secret in the file')
    const inner = told(`keys: { write: "a\${KEY}${secret}" }`, { KEY: 'x' })
    expect(inner).toContain('plain text')
    const deployer = told(`chain: { deployer: "0x${'ab'.repeat(32)}" }`)
    expect(deployer).toContain('chain.deployer is a secret')
    for (const each of [text, withDefault, inner, deployer]) {
      expect(each).not.toContain(secret)
      expect(each).not.toContain('abab')
    }
  })

  test('may contain the keys of the public development mnemonic', () => {
    const address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
    const account = `accounts: { owner: { address: "${address}", privateKey: "${devPrivateKeys[0]}" } }`
    expect(read(account).accounts?.owner?.privateKey).toBe(devPrivateKeys[0])
  })
})

describe('published schemas', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const hint = 'out of date: run npm run spec'

  test.each([
    [schemaPath, targetSchemaText],
    [environmentSchemaPath, environmentSchemaText],
  ])('%s is up to date', (place, text) => {
    expect(JSON.parse(readFileSync(`${root}${place}`, 'utf8')), hint).toEqual(JSON.parse(text()))
  })

  test.each(presets)(
    'a file of polgate init %s is valid, for an editor and for the suite',
    (preset) => {
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
        profiles: ['base', 'tasks'] as const,
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
    },
  )
})

describe('target resolution', () => {
  const cwd = directory
  writeFileSync(join(directory, 'svc-target.staging.yaml'), 'gatewayUrl: http://a.example')

  test('the flag overrides SVC_TARGET, which overrides a file that is found', () => {
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

  test('an empty flag is an error, and so is an empty variable: CI sets one for a missing secret', () => {
    expect(() => findTarget('', { cwd, env: {} })).toThrow('the target is empty')
    expect(() => findTarget('', { cwd, env: { SVC_TARGET: 'local' } })).toThrow(CannotRun)
    const env = { SVC_TARGET: '' }
    expect(() => findTarget(undefined, { cwd, env })).toThrow('the target is empty (SVC_TARGET)')
    expect(findTarget('local', { cwd, env })).toEqual({ kind: 'local' })
  })

  test('for the id of a check the hint says how to select it', () => {
    const hint = expect.stringContaining("--grep 'webhook.retry.late'")
    expect(() => findTarget('webhook.retry.late', { cwd, env: {} })).toThrow(
      expect.objectContaining({ hint }),
    )
  })

  test('a name is that of a file; an unknown one suggests the nearest', () => {
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
