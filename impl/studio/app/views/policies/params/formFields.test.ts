import { expect, test } from 'vitest'
import { fieldProblem, formFields, paramsFault, shownValue, typedValue } from './formFields.ts'
import { memberTexts } from './memberTexts.ts'

const schema = JSON.stringify({
  properties: {
    symbol: { type: 'string', minLength: 2, maxLength: 3, title: 'Symbol' },
    most: { type: 'integer', minimum: 0, maximum: 10, description: 'In dollars' },
    share: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    strict: { type: 'boolean' },
    mode: { enum: ['a', 2] },
    list: { type: 'array' },
    any: true,
  },
  required: ['symbol', 'most'],
})
const fields = formFields(schema, memberTexts('{"other": {"a": 1}, "most": 1}')!)!
const field = (name: string) => fields.find((each) => each.name === name)!

test('a schema becomes fields, with what it does not declare', () => {
  expect(
    fields.map(({ name, label, kind, required, help }) => [name, label, kind, required, help]),
  ).toEqual([
    ['symbol', 'Symbol (symbol)', 'text', true, ''],
    ['most', 'most', 'integer', true, 'In dollars; at least 0, at most 10'],
    ['share', 'share', 'number', false, 'more than 0, less than 1'],
    ['strict', 'strict', 'boolean', false, ''],
    ['mode', 'mode', 'choice', false, ''],
    ['list', 'list', 'json', false, ''],
    ['any', 'any', 'json', false, ''],
    ['other', 'other', 'json', false, ''],
  ])
  expect(field('mode').choices).toEqual(['"a"', '2'])
  for (const unusable of [null, '', '{}', 'null', '{"properties": 1}'])
    expect(formFields(unusable, [])).toBeUndefined()
})

test.each([
  ['symbol', '"ETH"', undefined],
  ['symbol', '"E"', 'has at least 2 characters'],
  ['symbol', '"💶💶💶"', undefined],
  ['symbol', '"ETHE"', 'has at most 3 characters'],
  ['symbol', undefined, 'is required'],
  ['most', '10', undefined],
  ['most', '11', 'is at most 10'],
  ['most', '-1', 'is at least 0'],
  ['most', '1.5', 'is not a whole number'],
  ['most', '1.0', undefined],
  ['most', '01', 'is not a number'],
  ['most', 'x', 'is not a number'],
  ['share', '0', 'is more than 0'],
  ['share', '1', 'is less than 1'],
  ['share', '5e-1', undefined],
  ['share', undefined, undefined],
  ['list', '[1', 'is not JSON'],
  ['list', '[1]', undefined],
])('%s: %s', (name, text, problem) => {
  expect(fieldProblem(field(name), text)).toBe(problem)
})

test('texts are shown without quotes, and numbers keep their digits', () => {
  expect(shownValue(field('symbol'), '"a\\"b"')).toBe('a"b')
  expect(typedValue(field('symbol'), 'a"b')).toBe('"a\\"b"')
  expect(typedValue(field('symbol'), '')).toBe('""')
  expect(typedValue(field('share'), '')).toBeUndefined()
  expect(typedValue(field('most'), ' 12345678901234567890 ')).toBe('12345678901234567890')
})

test('only an object whose members fit can be sent', () => {
  expect(paramsFault('{"symbol": "ETH", "most": 1}', fields)).toBeUndefined()
  expect(paramsFault('{"symbol": "ETH"}', fields)).toBe('most is required.')
  expect(paramsFault('[]', undefined)).toBe('This is not a JSON object.')
  expect(paramsFault('{"a": 1}', undefined)).toBeUndefined()
})
