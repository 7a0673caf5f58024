import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { call, set, value } from './builtinCalls.fixture.ts'
import { bytesIn, textOf } from './bytes.ts'

describe('encodings', () => {
  it.each<[string, unknown[], unknown]>([
    ['base64.encode', ['é?>'], 'w6k/Pg=='],
    ['base64.decode', ['w6k/\nPg=='], 'é?>'],
    ['base64.is_valid', ['w6k/Pg'], false],
    ['base64url.encode', ['é?>'], 'w6k_Pg=='],
    ['base64url.encode_no_pad', ['é?>'], 'w6k_Pg'],
    ['base64url.decode', ['w6k_Pg'], 'é?>'],
    ['hex.encode', ['é'], 'c3a9'],
    ['hex.decode', ['C3A9'], 'é'],
    ['urlquery.encode', ['a b&é~'], 'a+b%26%C3%A9~'],
    ['urlquery.decode', ['a+b%26%C3%A9'], 'a b&é'],
    ['urlquery.encode_object', [{ b: 'x y', a: ['1', '2'], c: set('z') }], 'a=1&a=2&b=x+y&c=z'],
    ['urlquery.decode_object', ['a=1&b=%20&a=2&&c'], value({ a: ['1', '2'], b: [' '], c: [''] })],
  ])('%s (%#)', (name, args, result) => {
    expect(call(name, ...args)).toEqual(result)
  })

  it.each<[string, unknown[], string]>([
    ['base64.decode', ['YQ'], 'illegal base64 data at input byte 0'],
    ['base64.decode', ['YWJjYQ'], 'illegal base64 data at input byte 4'],
    ['base64.decode', ['YW==YQ=='], 'illegal base64 data at input byte 4'],
    ['base64.decode', ['YQ==='], 'illegal base64 data at input byte 4'],
    ['base64.decode', ['YQ=!'], 'illegal base64 data at input byte 2'],
    ['base64.decode', ['Y-=='], 'illegal base64 data at input byte 1'],
    ['base64url.decode', ['YQYQY'], 'illegal base64url string: YQYQY'],
    ['hex.decode', ['abc'], 'encoding/hex: odd length hex string'],
    ['hex.decode', ['zz'], "encoding/hex: invalid byte: U+007A 'z'"],
    ['urlquery.decode', ['%zz'], 'invalid URL escape "%zz"'],
    ['urlquery.decode_object', ['a;b'], 'invalid semicolon separator in query'],
  ])('%s refuses (%#)', (name, args, message) => {
    expect(() => call(name, ...args)).toThrow(message)
  })

  it('preserves bytes that are not UTF-8', async () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(Buffer.from(bytesIn(textOf(bytes)))).toEqual(Buffer.from(bytes))
        const hex = Buffer.from(bytes).toString('hex')
        expect(
          call('hex.encode', call('base64.decode', Buffer.from(bytes).toString('base64'))),
        ).toBe(hex)
      }),
    )
    const { createHash } = await import('node:crypto')
    const digest = createHash('sha256').update(Buffer.of(0xff, 0)).digest('hex')
    expect(call('crypto.sha256', call('hex.decode', 'ff00'))).toBe(digest)
    expect(call('json.marshal', call('hex.decode', 'ff41'))).toBe('"\\ufffdA"')
    expect(call('yaml.is_valid', call('hex.decode', 'ff41'))).toBe(false)
  })
})

describe('JSON and YAML', () => {
  it.each<[string, unknown[], unknown]>([
    ['json.marshal', [{ b: set(2, 1), a: '<&>' }], '{"a":"\\u003c\\u0026\\u003e","b":[1,2]}'],
    [
      'json.marshal_with_options',
      [{ a: [1, {}], b: [] }, { indent: ' ' }],
      '{\n "a": [\n  1,\n  {}\n ],\n "b": []\n}',
    ],
    ['json.marshal_with_options', [[1], { pretty: false, indent: '--' }], '[1]'],
    ['json.unmarshal', ['{"a": 18446744073709551616}'], value({ a: 2n ** 64n })],
    ['json.is_valid', ['{"a":}'], false],
    ['json.is_valid', [1], false],
    [
      'yaml.unmarshal',
      ['a: [1, yes, 0x10, ~, 1.5, "x"]'],
      value({ a: [1, true, 16, null, 1.5, 'x'] }),
    ],
    [
      'yaml.unmarshal',
      ['d: 2020-01-02\nt: 12:30:45\n1: {x: &a [1]}\ny: *a'],
      value({ d: '2020-01-02', t: '12:30:45', 1: { x: [1] }, true: [1] }),
    ],
    [
      'yaml.unmarshal',
      ['base: &b {x: 1}\nmore: {<<: *b, z: 2}'],
      value({ base: { x: 1 }, more: { x: 1, z: 2 } }),
    ],
    ['yaml.unmarshal', ['a: 1\na: 2'], value({ a: 2 })],
    ['yaml.unmarshal', ['num: 123456789012345678901'], value({ num: 123456789012345678901n })],
    ['yaml.unmarshal', [''], null],
    ['yaml.unmarshal', ['\ufeff'], null],
    ['yaml.unmarshal', ['\ufeff\ufeff[1]'], value([1])],
    ['yaml.unmarshal', [' \ufeff'], '\ufeff'],
    ['yaml.unmarshal', ['---\n...\n'], null],
    ['yaml.is_valid', ['# a\n...\n'], false],
    ['yaml.is_valid', ['....'], true],
    ['yaml.unmarshal', ['[0o17, -0o7, 0O1_0, 0o8]'], value([15, -7, 8, '0o8'])],
    ['yaml.marshal', [[' ', ' a', 'a ', 'a']], "- ' '\n- ' a'\n- 'a '\n- a\n"],
    ['yaml.marshal', ['*x'], "'*x'\n"],
    ['yaml.is_valid', ['a: [1'], false],
    ['yaml.is_valid', [1], false],
    ['yaml.marshal', [{ b: [1, { c: null }], a: 'yes' }], 'a: "yes"\nb:\n- 1\n- c: null\n'],
    [
      'yaml.marshal',
      [{ a: 'x: y', b: 'two\nlines', n: 2n ** 70n }],
      'a: \'x: y\'\nb: |-\n  two\n  lines\n"n": 1180591620717411303424\n',
    ],
  ])('%s (%#)', (name, args, result) => {
    expect(call(name, ...args)).toEqual(result)
  })

  it('reject invalid input', () => {
    expect(() => call('json.unmarshal', '{')).toThrow('unexpected EOF')
    expect(() => call('json.unmarshal', 1)).toThrow('operand 1 must be string but got number')
    expect(() => call('json.marshal_with_options', 1, { x: 1 })).toThrow(
      'object contained unknown key "x"',
    )
    expect(() => call('yaml.unmarshal', '{a: 1')).toThrow('yaml: ')
    expect(() => call('yaml.unmarshal', '.inf')).toThrow('number is out of range')
    expect(() => call('yaml.unmarshal', '['.repeat(100_000))).toThrow()
  })

  it('limits the expansion of aliases', () => {
    const levels = Array.from(
      { length: 12 },
      (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i}, `.repeat(9)}]`,
    )
    const bomb = ['l0: &l0 [x]', ...levels].join('\n')
    expect(() => call('yaml.unmarshal', bomb)).toThrow('yaml: ')
  })
})
