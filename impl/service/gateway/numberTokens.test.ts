import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestGateway, type TestGateway } from './gateway.fixture.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await openTestGateway()
  gateway.recorded.respond(() => ({ success: true }))
})
afterAll(() => gateway.close())

const key = { jsonrpc: '2.0', method: 'svc_getSecretsPublicKey', params: {}, id: 'x' }

describe('an id that is a number', () => {
  it.each([
    '12345678901234567890',
    '1.0',
    '1e3',
    '-0',
    '1E+2',
    '1e400',
    '-1e999',
    '0.10000000000000000001',
    '1e-400',
  ])('is echoed with every character: %s', async (id) => {
    for (const method of ['svc_getSecretsPublicKey', 'svc_none']) {
      const text = JSON.stringify({ ...key, method }).replace('"x"', id)
      expect(await (await gateway.send(text)).text()).toMatch(
        new RegExp(`"id":${id.replace(/[.+]/g, '\\$&')}}$`),
      )
    }
  })

  it('is any token of a number', async () => {
    const digits = fc.stringMatching(/^[0-9]{1,30}$/)
    const token = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.stringMatching(/^(0|[1-9][0-9]{0,30})$/),
        fc.option(digits),
        fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), digits)),
      )
      .map(([sign, whole, fraction, exponent]) =>
        [sign, whole, fraction && `.${fraction}`, exponent?.join('')].join(''),
      )
    await fc.assert(
      fc.asyncProperty(token, async (id) => {
        const response = await gateway.send(JSON.stringify(key).replace('"x"', id))
        expect((await response.text()).endsWith(`,"id":${id}}`)).toBe(true)
      }),
    )
  })
})

describe('in a batch', () => {
  it('a call that cannot be used does not fail the others', async () => {
    const deep = `${'['.repeat(1_000)}${']'.repeat(1_000)}`
    const faulty: readonly (readonly [string, object])[] = [
      ['1e400', { error: { code: -32600 }, id: null }],
      ['-0', { error: { code: -32600 }, id: null }],
      [deep, { error: { code: -32600 }, id: null }],
      ...['1e400', `{"a":[-1e999]}`, `{"a":${deep}}`, deep].map(
        (params) =>
          [
            JSON.stringify({ ...key, id: 'bad', params: '?' }).replace('"?"', params),
            params.startsWith('1')
              ? { error: { code: -32600 }, id: null }
              : {
                  error: { code: -32602, message: expect.stringMatching(/: (a|params): n/) },
                  id: 'bad',
                },
          ] as const,
      ),
      [JSON.stringify({ ...key, id: 'more', more: '?' }).replace('"?"', '1e400'), { id: 'more' }],
      [
        JSON.stringify({ ...key, id: 'none', method: 'svc_none', params: '?' }).replace(
          '"?"',
          '[1e400]',
        ),
        { error: { code: -32601 }, id: 'none' },
      ],
    ]
    for (const [text, expected] of faulty) {
      const good = JSON.stringify(key)
      const response = await gateway.send(`[${good},${text},${good}]`)
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject([
        { result: {}, id: 'x' },
        expected,
        { result: {}, id: 'x' },
      ])
      expect(await (await gateway.send(text)).json()).toMatchObject(
        text === deep ? [{ error: { code: -32600 } }] : expected,
      )
    }
  })
})
