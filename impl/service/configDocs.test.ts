import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { configPage, exampleConfig, type Member, membersOf } from './configPage.ts'
import { unitKeyword } from './configParts.ts'
import {
  configPagePlace,
  configSchema,
  configSchemaPlace,
  configSchemaText,
} from './configSchema.ts'
import { fromEnvironment, parseServiceConfig, type ServiceConfigInput } from './serviceConfig.ts'

const read = (place: string) =>
  readFileSync(fileURLToPath(new URL(`../../${place}`, import.meta.url)), 'utf8')

const below = (member: Pick<Member, 'path' | 'schema'>): readonly Member[] =>
  membersOf(member).flatMap((each) => [each, ...below(each)])
const members = below({ path: '', schema: configSchema() })
const values = members.filter((member) => membersOf(member).length === 0)

describe('the published configuration', () => {
  it('is up to date: run npm run spec', () => {
    expect(read(configSchemaPlace)).toBe(configSchemaText())
    expect(read(configPagePlace)).toBe(configPage())
  })

  it('has a description of every section', () => {
    const bare = members.filter(({ path, schema }) => !schema.description && !path.endsWith('[]'))
    expect(bare.map(({ path }) => path)).toEqual([])
  })

  it('reaches every level', () => {
    const paths = members.map(({ path }) => path)
    expect(paths).toEqual(
      expect.arrayContaining([
        'gateway.port',
        'rateLimits.perMethod.<name>.burst',
        'keys.formerPrivacy[].acceptedUntil',
        'operators[] (local).blsKey',
        'operators[] (remote).token',
        'explorer.networks.<testnet|base-sepolia|mainnet|base>.batchBlocks',
        'oracles.limits',
      ]),
    )
  })

  it.each(values.map((member) => [member.path, member] as const))(
    '%s has a description, a unit where it counts something, and a default or an example',
    (path, { schema }) => {
      const { description, type, default: preset, examples, enum: choices, anyOf } = schema
      expect(description ?? '', path).toMatch(/^[A-Z].{8,}/)
      const isPlainNumber = /(^|\.)(chainId|port)$/.test(path)
      if ((type === 'integer' || type === 'number') && !isPlainNumber)
        expect(schema[unitKeyword], path).toBeDefined()
      const shown = [preset, examples, choices, anyOf, schema.const]
      expect(shown.some((each) => each !== undefined)).toBe(true)
    },
  )

  it('has examples and defaults that are valid, or name a variable', () => {
    const ajv = new Ajv({ strict: false, useDefaults: true })
    for (const { path, schema } of members) {
      const { default: preset, examples = [] } = schema
      for (const value of [...(preset === undefined ? [] : [preset]), ...examples])
        if (!/^\$\{\w+\}$/.test(String(value)))
          expect(ajv.validate(schema, structuredClone(value)), `${path}: ${ajv.errorsText()}`).toBe(
            true,
          )
    }
  })

  it('accepts the example before and after variables are replaced', () => {
    const validate = new Ajv({ strict: true }).compile(JSON.parse(configSchemaText()))
    expect(validate(exampleConfig), JSON.stringify(validate.errors)).toBe(true)
    expect(validate({ ...exampleConfig, gatway: {} })).toBe(false)
    expect(validate({ ...exampleConfig, operators: [{ kind: 'local', address: 'x' }] })).toBe(false)
    const address = `0x${'ab'.repeat(20)}`
    const key = '1b'.repeat(32)
    const env = {
      DATABASE_URL: 'postgres://127.0.0.1/db',
      ...{ TASK_MANAGER: address, OPERATOR_REGISTRY: address, OPERATOR_1_ADDRESS: address },
      ...{ GATEWAY_KEY: key, SECRETS_KEY: key, PRIVACY_KEY: key, OPERATOR_1_KEY: key },
    }
    const config = fromEnvironment(exampleConfig, env) as ServiceConfigInput
    expect(parseServiceConfig(config)).toMatchObject({ gateway: { port: 8600 } })
  })

  it('documents the defaults that are filled in', () => {
    const address = `0x${'ab'.repeat(20)}` as const
    const key = '1b'.repeat(32)
    const parsed = parseServiceConfig({
      chain: {
        rpcUrl: 'http://127.0.0.1:8545',
        chainId: 1,
        taskManager: address,
        operatorRegistry: address,
      },
      keys: { gateway: key, secrets: key, privacy: key },
      operators: [],
      telemetry: {},
      content: { directory: 'content' },
      oracles: { cacheDir: 'cache' },
    }) as Readonly<Record<string, unknown>>
    for (const { path, schema } of members) {
      if (
        schema.default === undefined ||
        /^(threshold|explorer|operatorTimeouts)\b|\[\]/.test(path)
      )
        continue
      const value = path
        .split('.')
        .reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>>)?.[name], parsed)
      if (JSON.stringify(schema.default) !== '{}') expect(value, path).toEqual(schema.default)
    }
  })
})
