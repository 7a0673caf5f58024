import { describe, expect, it } from 'vitest'
import { builtins } from '../builtins/registry.ts'
import { compileModules } from '../compile/program.ts'
import { RegoError } from '../errors.ts'
import { parseModule } from '../syntax/parser.ts'
import { Source } from '../syntax/source.ts'
import { typeCheck } from '../types/check.ts'
import { frameLines, frameOf } from './frame.ts'
import { editDistance, nearest } from './nearest.ts'
import { suggest } from './suggest.ts'

/** The error that a module ends in, and what is suggested for it. */
function fails(text: string): { readonly error: RegoError; readonly help: string | undefined } {
  const source = new Source('p.rego', text)
  try {
    compileModules([parseModule(source)], builtins, { types: typeCheck })
  } catch (error) {
    if (!(error instanceof RegoError)) throw error
    const names = {
      builtins: builtins.keys(),
      documents: ['data.test.allow', 'data.test.over_limit', 'data.test.helper'],
    }
    return { error, help: suggest(error, source.line(error.location?.row ?? 1), names) }
  }
  throw new Error(`no mistake in ${text}`)
}

const help = (body: string): string | undefined => fails(`package test\n${body}\n`).help

describe('names', () => {
  it.each([
    ['p := cuont([1])', 'did you mean count?'],
    ['p := array.concatt([1], [2])', 'did you mean array.concat?'],
    ['p := any_prefix_match("a", "b")', 'did you mean strings.any_prefix_match?'],
    ['p if re_match("a", "b")', 'Rego v1 has regex.match(pattern, value)'],
    ['p := helpr(1)\nhelper(x) := x', 'did you mean helper?'],
    ['p if over_limt\nover_limit if input.x', 'did you mean over_limit?'],
    ['p if inptu.x == 1', 'did you mean input?'],
    ['p if quantity > 1', 'assign it in this body first, with := or with some quantity in ...'],
    ['p if input.x == True', 'Rego writes true'],
    ['p := count', 'count is a namespace of functions: call one with its arguments'],
    ['p if time > 1', 'time is a namespace of functions: call one with its arguments'],
    ['q := {"amount": 1}\np := q.amuont', 'did you mean amount?'],
  ])('%s', (body, expected) => {
    expect(help(body)).toBe(expected)
  })

  it('suggests only similar names', () => {
    expect(help('p := completely_unknown(1)')).toBeUndefined()
    expect(nearest('ab', ['xy'])).toBeUndefined()
    expect(nearest('allow', ['alow', 'allwo'])).toBe('allwo')
    expect(editDistance('kitten', 'sitting')).toBe(3)
    expect(editDistance('abcd', 'abdc')).toBe(1)
    expect(nearest('x'.repeat(10_000), ['y'.repeat(10_000)])).toBeUndefined()
  })
})

describe('syntax', () => {
  it.each([
    ['deny[msg] {\n  msg := "x"\n}', 'Rego v1 writes a partial set as: deny contains msg if {'],
    ['p[k] = 1 {\n  k := "x"\n}', 'Rego v1 writes: p[k] := 1 if {'],
    ['allow {\n  true\n}', 'Rego v1 requires the keyword if before the body: allow if {'],
    ['f(x) = y {\n  y := x\n}', 'Rego v1 requires the keyword if before the body: f(x) = y if {'],
    [
      'p if { input.x == 1 && input.y == 2 }',
      'write each condition on a separate line: all of them must hold',
    ],
    ['p if { input.x || input.y }', 'write a second rule of the same name: one of them must hold'],
    ['p if { !input.x }', 'Rego negates with: not'],
    ["p := 'a'", 'strings are in double quotes, or in back quotes without escapes'],
    ['// p', 'comments start with #'],
    ['p := "\\d"', 'escape a backslash as \\\\, or use back quotes: `\\d+`'],
    [
      'p if { for x in input.xs { x } }',
      'Rego iterates with: some x in xs, or: every x in xs { ... }',
    ],
    ['p if {\n  input.x == 1\n', 'something is not closed: count the braces and brackets above'],
  ])('%s', (body, expected) => {
    expect(help(body)).toBe(expected)
  })

  it('ignores strings and comments', () => {
    expect(help(`p := "don't && 'x'" +`)).not.toContain('strings are in double quotes')
  })
})

describe('frame', () => {
  it('shows the line, carets below the name, details and help', () => {
    const text = 'package test\n\np if {\n\tupper(1) == "A"\n}\n'
    const { error } = fails(text)
    expect(frameLines(frameOf(error, () => text, 'quote it')).join('\n')).toBe(
      [
        'rego_type_error: upper: invalid argument(s)',
        ' --> p.rego:4:2',
        '3 | p if {',
        '4 |     upper(1) == "A"',
        '  |     ^^^^^',
        '    have: (number)',
        '    want: (string)',
        '  help: quote it',
      ].join('\n'),
    )
  })

  it('truncates long lines around the error', () => {
    const text = `package test\np := [${'1, '.repeat(2000)}cuont(1)]`
    const { error } = fails(text)
    const lines = frameLines(frameOf(error, () => text))
    const line = lines.findIndex((each) => each.startsWith('2 |'))
    expect(lines[line]?.length).toBeLessThan(200)
    expect(lines[line + 1]?.indexOf('^')).toBe(lines[line]?.indexOf('cuont'))
  })

  it('works without a source', () => {
    const error = new RegoError('eval_conflict_error', 'two values')
    expect(frameLines(frameOf(error, () => undefined))).toEqual(['eval_conflict_error: two values'])
  })
})
