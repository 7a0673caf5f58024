import { describe, expect, it } from 'vitest'
import { fromEnvironment, parseServiceConfig, type ServiceConfigInput } from './serviceConfig.ts'

const address = `0x${'ab'.repeat(20)}` as const
const key = '11'.repeat(32)
const valid: ServiceConfigInput = {
  chain: {
    rpcUrl: 'http://127.0.0.1:8545',
    chainId: 1,
    taskManager: address,
    operatorRegistry: address,
  },
  keys: { gateway: `0x${key}`, secrets: key, privacy: key },
  operators: [{ kind: 'local', address, blsKey: key }],
  content: { directory: 'content' },
  oracles: { cacheDir: 'cache' },
}

describe('the service configuration', () => {
  it('gets its defaults', () => {
    expect(parseServiceConfig(valid)).toMatchObject({
      gateway: { host: '127.0.0.1', port: 0 },
      logLevel: 'info',
      store: {},
      chain: { postResults: true },
      operatorGraceMs: 1_000,
      content: { gateways: [] },
      oracles: { allowedHosts: [], limits: {} },
    })
  })

  it('is rejected with the names of invalid members, without their values', () => {
    const secret = 'not-a-key-but-still-a-secret'
    const parse = () =>
      parseServiceConfig({
        ...valid,
        keys: { ...valid.keys, gateway: secret },
        admin: { port: -1 },
      })
    expect(parse).toThrow(/^Invalid configuration: .*admin.port.*keys.gateway/)
    expect(parse).not.toThrow(secret)
  })

  it.each([
    ['chain', 'chain'],
    ['keys', 'keys'],
    ['content', 'content'],
  ])('requires %s', (member) => {
    const { [member as 'chain']: _, ...rest } = valid
    expect(() => parseServiceConfig(rest)).toThrow(`must have required property '${member}'`)
  })

  it('rejects unknown members', () => {
    expect(() => parseServiceConfig({ ...valid, gatway: {} } as never)).toThrow(
      'additional properties',
    )
  })

  it.each([
    [
      { logLevel: 'loud' },
      'logLevel must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
    ],
    [
      { operators: [{ kind: 'nope' }] },
      'operators.0.kind must be one of local, remote, not "nope"',
    ],
  ])('is rejected with the allowed values: %j', (change, message) => {
    const parse = () => parseServiceConfig({ ...valid, ...change } as never)
    expect(parse).toThrow(message)
    expect(parse).not.toThrow('must be equal to constant')
  })

  it('mentions no other kind of operator if the kind is valid', () => {
    const operators = [{ kind: 'local', address: 'x', blsKey: 'y' }]
    expect(() => parseServiceConfig({ ...valid, operators } as never)).not.toThrow('must be one of')
  })

  it('reads values from the environment, and reports a missing variable', () => {
    const value = { a: [`x\${ONE}`, 2], b: { c: `\${TWO}` } }
    expect(fromEnvironment(value, { ONE: '1', TWO: 'zwei' })).toEqual({
      a: ['x1', 2],
      b: { c: 'zwei' },
    })
    expect(() => fromEnvironment(value, { ONE: '1' })).toThrow(
      'environment variable TWO is not set',
    )
  })
})
