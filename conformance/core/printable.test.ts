import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printable, printableLines } from './printable.ts'

/** Any text, with many of the characters that control a terminal, a page or a workflow runner. */
const text = fc.string({
  unit: fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.constantFrom('\u001b', '\r', '\n', '\u202e', '\u2028', '\ufeff') },
    { weight: 1, arbitrary: fc.constantFrom('##[', '##', '#', '[', '\ud800', '\udfff') },
  ),
})

test('what is printed controls nothing, and stays that when it is printed again', () => {
  fc.assert(
    fc.property(text, (given) => {
      const printed = printable(given)
      expect(printed).toMatch(/^[^\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]*$/u)
      expect(printed).not.toContain('##[')
      expect(printable(printed)).toBe(printed)
    }),
  )
})

test('a text that controls nothing is printed as it is', () => {
  fc.assert(
    fc.property(fc.string(), (given) => {
      if (given.includes('##[')) return
      expect(printable(given)).toBe(given)
    }),
  )
  expect(printable('Prüfung ✓ 👍 \\u001b #[x]')).toBe('Prüfung ✓ 👍 \\u001b #[x]')
})

test('what controls something is shown as its code', () => {
  expect(printable('\u001b[31mred\u202e##[error]')).toBe('\\u001b[31mred\\u202e#\\u0023[error]')
})

test('of several lines each is printed as if it were alone', () => {
  fc.assert(
    fc.property(text, (given) => {
      expect(printableLines(given)).toBe(given.split('\n').map(printable).join('\n'))
    }),
  )
})
