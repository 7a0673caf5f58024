import { expect, test } from 'vitest'
import { type Answer, valueAnswer } from './answers.ts'
import { sameButDigitsOfFloats, sameNumbers } from './sameNumbers.ts'

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
  ['81129638414606663681390495662081', '81129638414606660000000000000000', true],
  ['81129638414606663681390495662081', '81129638414600000000000000000000', false],
  ['9007199254740993', '9007199254740992', true],
  ['9007199254740990', '9007199254740991', false],
  [
    '"2^128 is 340282366920938463463374607431768211456"',
    '"2^128 is 340282366920938500000000000000000000000"',
    true,
  ],
  ['-81129638414606699710', '81129638414606699710', false],
  ['0.3', '0.30000000000000004', false],
])('whether %s and %s are the same integers as floats', (a, b, is) => {
  expect(sameButDigitsOfFloats(valueAnswer(a), valueAnswer(b))).toBe(is)
})
