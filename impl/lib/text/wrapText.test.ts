import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { outputWidth } from './outputWidth.ts'
import { wrapText } from './wrapText.ts'

const words = (text: string) => text.split(/\s+/).filter(Boolean)

test('no line is longer than the width except for one word, and no word is lost', () => {
  const word = fc.stringMatching(/^[a-z.:/-]{1,40}$/)
  const line = fc
    .tuple(
      fc.integer({ min: 0, max: 30 }),
      fc.array(fc.tuple(word, fc.constantFrom(' ', '  ', '     ')), {
        minLength: 1,
        maxLength: 25,
      }),
    )
    .map(([indent, parts]) => ' '.repeat(indent) + parts.flat().join('').trimEnd())
  fc.assert(
    fc.property(fc.array(line), fc.integer({ min: 20, max: 100 }), (lines, width) => {
      const text = lines.join('\n')
      const wrapped = wrapText(text, width)
      expect(words(wrapped)).toEqual(words(text))
      for (const each of wrapped.split('\n'))
        if (each.length > width) expect(words(each)).toHaveLength(1)
    }),
    { numRuns: 300 },
  )
})

test('columns continue below their last one where there is room', () => {
  expect(wrapText('  Title    what the check asserts, at some length', 30)).toBe(
    '  Title    what the check\n           asserts, at some\n           length',
  )
  expect(wrapText('  polgate start --exec true  start a stack, run it, stop', 32)).toBe(
    '  polgate start --exec true\n      start a stack, run it,\n        stop',
  )
})

test('colours do not count', () => {
  const coloured = {
    red: (text: string) => `\u001b[31m${text}\u001b[39m`,
    bold: (text: string) => `\u001b[1m${text}\u001b[22m`,
  }
  const text = `  ${coloured.red('missing')}  ${coloured.bold('a b c d e f g h')}`
  expect(stripVTControlCharacters(wrapText(text, 20))).toBe(
    '  missing\n      a b c d e f g\n        h',
  )
})

test('a short line and output that no terminal shows stay as they are', () => {
  const long = `a  ${'b '.repeat(100)}c`
  expect(wrapText(long, undefined)).toBe(long)
  expect(wrapText('a   b', 20)).toBe('a   b')
})

test('the width is that of COLUMNS, else of the terminal', () => {
  expect(outputWidth({ isTTY: true, columns: 90 }, {})).toBe(90)
  expect(outputWidth({ isTTY: true, columns: 90 }, { COLUMNS: '60' })).toBe(60)
  expect(outputWidth({}, { COLUMNS: '60' })).toBe(60)
  expect(outputWidth({}, {})).toBeUndefined()
  expect(outputWidth({}, { COLUMNS: '0' })).toBeUndefined()
  expect(outputWidth({ isTTY: true, columns: 0 }, { COLUMNS: 'wide' })).toBeUndefined()
})
