import { expect, test } from 'vitest'
import { type Answer, valueAnswer } from './answers.ts'
import { sameButLastDigits, sameNumbers } from './sameNumbers.ts'

const value = (json: string): Answer => ({ kind: 'value', text: json })

test.each([
  ['"1e21"', '"1000000000000000000000"', true],
  ['"[1e21,-0]"', '"[1000000000000000000000,0]"', true],
  ['"[100.0]"', '"[100]"', true],
  ['{"1e2": [1]}', '{"100": [1.0]}', true],
  ['"1e21"', '"1000000000000000000001"', false],
  ['"a1"', '"b1"', false],
  ['[1]', '[1,1]', false],
  ['{"a": 1}', '{"a": 2}', false],
  ['{"a": 1}', '{"b": 1}', false],
  ['1', '"1"', false],
  ['true', '1', false],
])('whether %s and %s have the same numbers', (a, b, is) => {
  expect(sameNumbers(value(a), value(b))).toBe(is)
  expect(sameNumbers(value(a), { kind: 'undefined' })).toBe(false)
})

test.each([
  ['81129638414606699710187514626049', '81129638414606699710000000000000', true],
  ['81129638414606699710187514626049', '81129638414606699000000000000000', false],
  ['12', '13', false],
  ['-81129638414606699710', '81129638414606699710', false],
])('whether %s and %s differ in the last digits', (a, b, is) => {
  expect(sameButLastDigits(valueAnswer(a), valueAnswer(b))).toBe(is)
})
