import { describe, expect, it } from 'vitest'
import { call, set } from './builtinCalls.fixture.ts'

describe('sprintf', () => {
  it.each<[string, unknown[], string]>([
    ['plain 100%%', [], 'plain 100%'],
    ['%s %v %d', ['a', 'b', 3], 'a b 3'],
    ['%v', [[1, 'x', null, { k: set(2, 1) }]], '[1, "x", null, {"k": {1, 2}}]'],
    ['%s|%s', [set(), {}], 'set()|{}'],
    ['%5d|%-5d|%05d|%+d|% d', [42, 42, 42, 42, 42], '   42|42   |00042|+42| 42'],
    ['%x %X %o %b %#x %O', [255, 255, 8, 5, 255, 8], 'ff FF 10 101 0xff 0o10'],
    ['%c %q %U', [9731, 39, 128512], "☃ '\\'' U+1F600"],
    ['%.2f %8.3f|%-8.1f|', [3.14259, -2.5, 0.25], '3.14   -2.500|0.2     |'],
    [
      '%e %g %G %v',
      [123456.789, 1234567.5, 0.00001234, 1.5],
      '1.234568e+05 1.2345675e+06 1.234E-05 1.5',
    ],
    ['%.0f %.0f', [0.5, 1.5], '0 2'],
    ['%q %x % X %.2s', ['a"b\n', 'hi', 'hi', 'é😀x'], '"a\\"b\\n" 6869 68 69 é😀'],
    ['%*d|%.*f|%[2]*[1]d', [4, 7, 1, 2.25], '   7|2.2|      4'],
    ['%[2]s %[1]s', ['a', 'b'], 'b a'],
    ['%d', [2n ** 70n], '1180591620717411303424'],
    ['%s', [2n ** 70n], '1180591620717411303424'],
    ['%d %s %t', ['x', 1, true], '%!d(string=x) %!s(int=1) %!t(string=true)'],
    ['%d', [1.5], '%!d(float64=1.5)'],
    ['%f', [1], '%!f(int=1)'],
    ['%d %d', [1], '1 %!d(MISSING)'],
    ['x', [1, 'y'], 'x%!(EXTRA int=1, string=y)'],
    ['%', [], '%!(NOVERB)'],
    ['%[3]d', [1], '%!d(BADINDEX)'],
    ['%*d', ['x', 1], '%!(BADWIDTH)1'],
    ['%9999999d', [1], '%!(NOVERB)%!(EXTRA int=1)'],
    ['%T', [1], 'int'],
    ['%v', [10n ** 400n + 1n], `1${'0'.repeat(399)}1`],
  ])('%s (%#)', (format, args, text) => {
    expect(call('sprintf', format, args)).toBe(text)
  })

  it('requires a format and an array', () => {
    expect(() => call('sprintf', 1, [])).toThrow('operand 1 must be string but got number')
    expect(() => call('sprintf', '', {})).toThrow('operand 2 must be array but got object')
  })
})
