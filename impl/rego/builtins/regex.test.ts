import { describe, expect, it } from 'vitest'
import { call } from './builtinCalls.fixture.ts'

describe('regex', () => {
  it.each<[string, unknown[], unknown]>([
    ['regex.match', ['^a+$', 'aaa'], true],
    ['regex.match', ['(?i)É', 'xéx'], true],
    ['regex.is_valid', ['(?P<n>a)'], true],
    ['regex.is_valid', ['(?=a)'], false],
    ['regex.is_valid', [1], false],
    ['regex.find_n', ['a.', 'abacad', 2], ['ab', 'ac']],
    ['regex.find_n', ['x*', 'axb', -1], ['', 'x', '']],
    ['regex.find_n', ['.', '😀é', -1], ['😀', 'é']],
    [
      'regex.find_all_string_submatch_n',
      ['a(b)?(c)', 'acabc', -1],
      [
        ['ac', '', 'c'],
        ['abc', 'b', 'c'],
      ],
    ],
    [
      'regex.replace',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of Go's replacements
      ['john doe', '(\\w+) (?P<last>\\w+)', '${last}, $1 $$1 $9x'],
      'doe, john $1 ',
    ],
    ['regex.replace', ['abc', 'x*', '-'], '-a-b-c-'],
    ['regex.split', [',+', 'a,,b,c'], ['a', 'b', 'c']],
    ['regex.split', ['', 'ab'], ['a', 'b']],
    ['regex.split', ['x', ''], ['']],
    ['regex.template_match', ['urn:<[a-z]+>:<\\d{2}>', 'urn:ab:12', '<', '>'], true],
    ['regex.template_match', ['a.<b+>', 'axb', '<', '>'], false],
    ['regex.globs_match', ['a.*b', 'ac*b'], true],
    ['regex.globs_match', ['[a-c]+', '[d-f]*'], false],
    ['regex.globs_match', ['a*', 'b*'], false],
    ['regex.globs_match', ['\\[x\\]', '[[]x.'], true],
  ])('%s (%#)', (name, args, result) => {
    expect(call(name, ...args)).toEqual(result)
  })

  it.each<[string, unknown[], string]>([
    ['regex.match', ['(', 'a'], 'missing closing )'],
    ['regex.match', ['a{1001}', 'a'], 'invalid repeat count'],
    ['regex.match', ['a'.repeat(20_000), 'a'], 'pattern is longer than'],
    ['regex.template_match', ['<a', 'a', '<', '>'], 'unbalanced braces in "<a"'],
    [
      'regex.template_match',
      ['a', 'a', '<<', '>'],
      'start delimiter has to be exactly one character',
    ],
    ['regex.globs_match', ['[b-a]', 'a'], "range is out of order: 'a' comes before 'b'"],
    ['regex.globs_match', ['*a', 'a'], "flag '*' must be preceded by a non-flag"],
    ['regex.globs_match', ['[a', 'a'], 'pos:2, found [ without matching ]'],
  ])('%s refuses (%#)', (name, args, message) => {
    expect(() => call(name, ...args)).toThrow(message)
  })

  it('matches patterns that cause backtracking elsewhere in linear time', () => {
    const text = `${'a'.repeat(30_000)}!`
    const start = performance.now()
    expect(call('regex.match', '^(a+)+$', text)).toBe(false)
    expect(call('regex.match', '(a|a)*b', text)).toBe(false)
    expect(performance.now() - start).toBeLessThan(1_000)
  })
})

describe('glob.match', () => {
  it.each<[string, unknown, string, boolean]>([
    ['*.example.com', [], 'a.example.com', true],
    ['*.example.com', [], 'a.b.example.com', false],
    ['**.example.com', [], 'a.b.example.com', true],
    ['a*', null, 'a.b/c', true],
    ['a/*/c', ['/'], 'a/b.x/c', true],
    ['a?c', ['b'], 'abc', false],
    ['[!x-z]1', [], 'y1', false],
    ['[a\\-z]', [], '-', true],
    ['{a,b{1,2}}.x', [], 'b2.x', true],
    ['\\*', [], '*', true],
    ['*', [], 'a\nb', true],
    ['+(a)', [], '+(a)', true],
  ])('%s %j %j', (pattern, delimiters, text, result) => {
    expect(call('glob.match', pattern, delimiters, text)).toBe(result)
  })

  it('rejects invalid globs', () => {
    for (const bad of ['[a', '[]', '[b-a]', '{a', 'a\\']) {
      expect(() => call('glob.match', bad, [], 'a'), bad).toThrow('syntax error in pattern')
    }
    expect(() => call('glob.match', 'a', [1], 'a')).toThrow('operand 2 must be array of strings')
    expect(call('glob.quote_meta', 'a*[b]?{c}\\')).toBe('a\\*\\[b\\]\\?\\{c\\}\\\\')
  })
})
