import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bare } from '../values/writtenNumber.ts'
import { call, set, testContext, value } from './builtinCalls.fixture.ts'
import { find } from './search.ts'

describe('strings', () => {
  it.each<[string, unknown[], unknown]>([
    ['concat', ['-', ['a', 'b']], 'a-b'],
    ['concat', [',', set('b', 'a')], 'a,b'],
    ['format_int', [-255.9, 16], '-ff'],
    ['format_int', [2n ** 65n, 2], `1${'0'.repeat(65)}`],
    ['indexof', ['😀é', 'é'], 1],
    ['indexof_n', ['😀x😀x', 'x'], [1, 3]],
    ['indexof_n', ['aaa', 'aa'], [0, 1]],
    ['lower', ['ÀΣİ'], 'àσi'],
    ['upper', ['straße ŉ ᾳ é'], 'STRAßE ŉ ᾼ É'],
    ['split', ['a😀b', ''], ['a', '😀', 'b']],
    ['split', ['a,b,', ','], ['a', 'b', '']],
    ['replace', ['aXbX', 'X', ''], 'ab'],
    ['replace', ['a😀', '', '-'], '-a-😀-'],
    ['strings.replace_n', [{ a: 'b', b: 'c', ab: 'x' }, 'ab'], 'bc'],
    ['strings.replace_n', [{}, 'ab'], 'ab'],
    ['substring', ['a😀bc', 1, 2], '😀b'],
    ['substring', ['abc', 1, -1], 'bc'],
    ['substring', ['abc', 5, 1], ''],
    ['trim', ['xxaxyx', 'yx'], 'a'],
    ['trim_left', ['😀😀a', '😀'], 'a'],
    ['trim_right', ['a😀😀', '😀'], 'a'],
    ['trim_prefix', ['aab', 'a'], 'ab'],
    ['trim_suffix', ['abb', ''], 'abb'],
    ['trim_space', ['\u0085\u00a0 a\u3000\n'], 'a'],
    ['strings.any_prefix_match', ['abc', set('x', 'ab')], true],
    ['strings.any_suffix_match', [['abc', 'd'], 'e'], false],
    ['strings.count', ['aaaa', 'aa'], 2],
    ['strings.count', ['😀', ''], 2],
    ['strings.reverse', ['a😀b'], 'b😀a'],
    ['startswith', ['abc', 'ab'], true],
    ['endswith', ['abc', 'ab'], false],
    ['contains', ['abc', ''], true],
  ])('%s (%#)', (name, args, result) => {
    expect(call(name, ...args)).toEqual(result)
  })

  it.each<[string, unknown[], string]>([
    ['concat', [',', [1]], 'operand 2 must be array of strings but got array containing number'],
    ['concat', [',', 'a'], 'operand 2 must be one of {set, array} but got string'],
    ['format_int', [1, 3], 'operand 2 must be one of {2, 8, 10, 16}'],
    ['indexof', ['a', ''], 'empty search character'],
    ['substring', ['a', -1, 1], 'negative offset'],
    ['strings.replace_n', [{ a: 1 }, 'a'], 'operand 1 non-string value found in pattern object'],
    [
      'strings.any_prefix_match',
      [1, 'a'],
      'operand 1 must be one of {string, set, array} but got number',
    ],
  ])('%s refuses (%#)', (name, args, message) => {
    expect(() => call(name, ...args)).toThrow(expect.objectContaining({ message }))
  })

  it('finds long parts like the native search', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 2_000 })
    fc.assert(
      fc.property(
        text,
        fc.nat(1_500),
        fc.integer({ min: 251, max: 600 }),
        (whole, from, length) => {
          const ctx = testContext()
          const part = whole.slice(from, from + length)
          expect(find(ctx, whole, part)).toBe(whole.indexOf(part))
          expect(find(ctx, whole, `${part}b`, 3)).toBe(whole.indexOf(`${part}b`, 3))
        },
      ),
    )
  })

  it('split and concat are inverse, and replace combines both', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ minLength: 1, maxLength: 3 }),
        (text, by) => {
          const parts = call('split', text, by) as string[]
          expect(call('concat', by, parts)).toBe(text)
          expect(call('replace', text, by, '<>')).toBe(call('concat', '<>', parts))
        },
      ),
    )
  })

  it('converts to numbers like Go', () => {
    const cases: [unknown, unknown][] = [
      ['1000000000000000001', 1000000000000000001n],
      ['-0.50', -0.5],
      ['+7', 7],
      ['.5', 0.5],
      ['5.', 5],
      [null, 0],
      [true, 1],
    ]
    for (const [text, number] of cases) expect(bare(call('to_number', text))).toBe(number)
    for (const bad of ['', ' 1', '1x', '0x10', '1e400', '--1']) {
      expect(() => call('to_number', bad), bad).toThrow(`strconv.ParseFloat: parsing "${bad}"`)
    }
    expect(() => call('to_number', '-Inf')).toThrow('operand 1 must be valid number string')
    expect(() => call('to_number', value([]))).toThrow('one of {null, boolean, number, string}')
  })

  it('renders templates', () => {
    const vars = { name: 'x', list: [1, 2], deep: { a: { b: true } }, n: 3, none: [] }
    const render = (template: string): unknown => call('strings.render_template', template, vars)
    expect(render('{{.name}}: {{.missing}}')).toBe('x: <undefined>')
    expect(render('{{range .list}}<{{.}}>{{end}}{{range .none}}-{{else}}none{{end}}')).toBe(
      '<1><2>none',
    )
    expect(render('{{range $k, $v := .list}}{{$k}}={{$v}}{{if eq $k 0}},{{end}}{{end}}')).toBe(
      '0=1,1=2',
    )
    expect(render('{{with .deep.a}}{{.b}}{{$.name}}{{end}}')).toBe('truex')
    expect(render('{{if and (gt (len .list) 1) (not false)}}yes{{else if .n}}maybe{{end}}')).toBe(
      'yes',
    )
    expect(render('a {{- /* note */ -}} b {{ .list | len }} {{index .list 1}}{{.deep}}')).toBe(
      'ab 2 2map[a:map[b:true]]',
    )
    expect(
      render('{{print "" .n .n}}|{{print 1 2}}|{{print true .list}}|{{print (len .list) 1}}'),
    ).toBe('33|1 2|true [1 2]|2 1')
    for (const bad of [
      '{{',
      '{{end}}',
      '{{if .n}}',
      '{{nope .n}}',
      '{{$x}}',
      '{{range}}',
      '{{print""}}',
      '{{print 1"a"}}',
      '{{print(.n)}}',
      '{{print "".}}',
      '{{print "".n}}',
    ]) {
      expect(() => render(bad), bad).toThrow('template: ')
    }
  })
})
