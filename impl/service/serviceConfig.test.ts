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

describe('the configuration of a service', () => {
  it('is completed with its defaults', () => {
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

  it('names the members that are wrong, and never their values', () => {
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
  ])('wants %s', (member) => {
    const { [member as 'chain']: _, ...rest } = valid
    expect(() => parseServiceConfig(rest)).toThrow(`must have required property '${member}'`)
  })

  it('has no member it does not know', () => {
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
  ])('lists the values that are allowed: %j', (change, message) => {
    const parse = () => parseServiceConfig({ ...valid, ...change } as never)
    expect(parse).toThrow(message)
    expect(parse).not.toThrow('must be equal to constant')
  })

  it('does not speak of the other kind of operator where the kind is right', () => {
    const operators = [{ kind: 'local', address: 'x', blsKey: 'y' }]
    expect(() => parseServiceConfig({ ...valid, operators } as never)).not.toThrow('must be one of')
  })

  it('takes values from the environment, and says which is missing', () => {
    const value = { a: [`x\${ONE}`, 2], b: { c: `\${TWO}` } }
    expect(fromEnvironment(value, { ONE: '1', TWO: 'zwei' })).toEqual({
      a: ['x1', 2],
      b: { c: 'zwei' },
    })
    expect(() => fromEnvironment(value, { ONE: '1' })).toThrow('The environment has no TWO')
  })
})
