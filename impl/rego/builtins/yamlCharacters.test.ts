import { expect, test } from 'vitest'
import { call } from './builtinCalls.fixture.ts'

// The answers of OPA 1.2.
const refused = [
  ...['\t', '\ta', '\t\n', ' \t', ' \ta', '\n\t\n', '\t# c', '# c\n\t# d'],
  ...['a: 1\n\tb: 2', 'a: 1\n\t', 'a: 1\n\t\nb: 2', 'a:\n\tb', 'a:\n \tb', 'a: b\n\tc'],
  ...[
    '-\ta',
    '- \ta',
    '- - \ta',
    '-\t- a',
    '- a\n-\tb',
    '-\t',
    '?\ta',
    '? \ta\n: b',
    '- [1]\n-  \t[2]',
  ],
  ...[
    '|\n\ta',
    '|\n \ta',
    'a: |\n  x\n \ty',
    'a: |\n  x\n\t\n  y',
    '- |\n   x\n  \n  \ty',
    'a: >-\n\n\tx',
  ],
  ...['a\u0007', 'a\ufffe', '"\u0001"'],
]
test.each(refused)('%j is no YAML', (text) => {
  expect(call('yaml.is_valid', text)).toBe(false)
  expect(() => call('yaml.unmarshal', text)).toThrow(/^yaml: /)
})

const read: readonly (readonly [string, unknown])[] = [
  ['a:\tb', { a: 'b' }],
  ['a: 1\t', { a: 1 }],
  ['a: 1 \t# c', { a: 1 }],
  ['a:\t\nb: 1', { a: null, b: 1 }],
  ['[\ta, \tb]', ['a', 'b']],
  ['{\ta:\t1\t}', { a: 1 }],
  ['"a\tb"', 'a\tb'],
  ['--- \ta', 'a'],
  ['a: |\n  x\n  \ty\n', { a: 'x\n\ty\n' }],
  ['a: |2\n   \tx\n', { a: ' \tx\n' }],
]
test.each(read)('%j is read', (text, expected) => {
  expect(JSON.parse(String(call('json.marshal', call('yaml.unmarshal', text)!)))).toEqual(expected)
})

const written: readonly (readonly [string, string])[] = [
  ['a\tb', '"a\\tb"\n'],
  ['a\n\tb', '"a\\n\\tb"\n'],
  ['\u0007"\\', '"\\a\\"\\\\"\n'],
  ['\x01', '"\\x01"\n'],
  ['\u{1f600}', '"\\U0001F600"\n'],
  ['a\ufeff', '"a\\uFEFF"\n'],
  // Go's package takes every character after a leading mark for the mark.
  ['\ufeffa', '"\\uFEFF\\x61"\n'],
  ['\u00e9', '\u00e9\n'],
]
test.each(written)('%j is written in double quotes where Go cannot print it', (text, expected) => {
  expect(call('yaml.marshal', text)).toBe(expected)
  expect(call('yaml.unmarshal', expected)).toBe(text)
})
