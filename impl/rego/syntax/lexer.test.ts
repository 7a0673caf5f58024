import { describe, expect, test } from 'vitest'
import { RegoError } from '../errors.ts'
import { lex } from './lexer.ts'
import { Source } from './source.ts'

const tokens = (text: string) => lex(new Source('a.rego', text)).tokens

const kinds = (text: string) =>
  tokens(text)
    .map(({ kind }) => kind)
    .slice(0, -1)

const values = (text: string) =>
  tokens(text).flatMap(({ value }) => (value === undefined ? [] : [value]))

function mistake(text: string): string {
  try {
    tokens(text)
  } catch (error) {
    if (error instanceof RegoError)
      return `${error.location?.row}:${error.location?.col} ${error.message}`
  }
  return 'none'
}

describe('numbers', () => {
  test('integers of any size stay exact', () => {
    expect(values('9007199254740993 18446744073709551616')).toEqual([
      9007199254740993n,
      18446744073709551616n,
    ])
  })

  test('fractions and exponents', () => {
    expect(values('1.5 1e3 2E-1 0')).toEqual([1.5, 1000, 0.2, 0])
  })

  test.each(['00.5', '007', '1a', '0x10', '1_000'])('%s is invalid', (text) => {
    expect(mistake(text)).toMatch(/number/)
  })

  test('a number out of range is an error, not an infinity', () => {
    expect(mistake('1e999999999')).toMatch(/range/)
  })
})

describe('strings', () => {
  test('escapes of JSON', () => {
    expect(values(String.raw`"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"`)).toEqual(['"\\/\b\f\n\r\té😀'])
  })

  test('an unpaired surrogate is the replacement character', () => {
    expect(values(String.raw`"\ud83d"`)).toEqual(['\ufffd'])
  })

  test('raw strings have no escapes and may span lines', () => {
    expect(values('`a\\n\nb`')).toEqual(['a\\n\nb'])
  })

  test('a string ends on its line', () => {
    expect(mistake('"a\nb"')).toBe('1:1 non-terminated string')
    expect(mistake('`a')).toBe('1:1 non-terminated string')
  })

  test('unknown escapes are reported at their location', () => {
    expect(mistake(String.raw`"ab\q"`)).toBe('1:4 illegal escape sequence')
  })
})

describe('words', () => {
  test('keywords', () => {
    expect(kinds('some x in xs')).toEqual(['some', 'identifier', 'in', 'identifier'])
  })

  test('a keyword followed by a dot and a name is the head of a reference', () => {
    expect(kinds('in.foo')).toEqual(['identifier', '.', 'identifier'])
    expect(kinds('null.foo')).toEqual(['identifier', '.', 'identifier'])
  })

  test('comments are collected separately, without the #', () => {
    const { comments } = lex(new Source('a.rego', 'x # one\n# two\r\ny'))
    expect(comments.map(({ text }) => text)).toEqual([' one', ' two'])
  })

  test('a leading byte order mark is skipped', () => {
    expect(kinds('\ufeffx')).toEqual(['identifier'])
  })

  test.each(['@', '!', '~', '^', '\\', "'", '?', '\u0000'])('%j is not a token', (text) => {
    expect(mistake(`x\n ${text}`)).toBe('2:2 illegal token')
  })
})

describe('templates', () => {
  test('alternating text and expressions', () => {
    expect(kinds('$"a{x}b"')).toEqual([
      'template',
      'templateText',
      'templateOpen',
      'identifier',
      'templateClose',
      'templateText',
      'templateEnd',
    ])
  })

  test('braces inside an expression do not end it', () => {
    expect(values('$"{{1: {2}}}!"')).toEqual(['', 1, 2, '!'])
  })

  test('an escaped brace is text', () => {
    expect(values(String.raw`$"\{x}"`)).toEqual(['{x}'])
  })

  test('an unclosed template is an error', () => {
    expect(mistake('$"a{x')).toMatch(/non-terminated/)
    expect(mistake('$"a')).toMatch(/non-terminated/)
  })
})

test('rows and columns count characters, not UTF-16 units', () => {
  const source = new Source('a.rego', 'x\n"😀" y')
  const last = lex(source).tokens.at(-2)
  expect(source.locate(last?.start ?? 0)).toEqual({ file: 'a.rego', row: 2, col: 5 })
})
