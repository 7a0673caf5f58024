import { expect, test } from 'vitest'
import { memberTexts, textOfMembers, withMember } from './memberTexts.ts'

test.each([
  ['{}', []],
  [' { "a" : 1 } ', [['a', '1']]],
  [
    '{"big": 10000000000000000000001, "small": 0.12345678901234567890, "e": 1e400}',
    [
      ['big', '10000000000000000000001'],
      ['small', '0.12345678901234567890'],
      ['e', '1e400'],
    ],
  ],
  [
    '{"a,\\"b:": "x,\\"}:{", "n": {"a": [1, {"b": "]"}]}, "l": [1, 2]}',
    [
      ['a,"b:', '"x,\\"}:{"'],
      ['n', '{"a": [1, {"b": "]"}]}'],
      ['l', '[1, 2]'],
    ],
  ],
  ['{"a": 1, "a": 2}', [['a', '2']]],
  ['[1]', undefined],
  ['{', undefined],
  ['', undefined],
])('the members of %s', (json, expected) => {
  expect(memberTexts(json)).toEqual(expected)
  if (expected !== undefined)
    expect(memberTexts(textOfMembers(memberTexts(json)!))).toEqual(expected)
})

test('a member is replaced at its place, added at the end, and removed', () => {
  const members = [
    ['a', '1'],
    ['b', '2'],
  ] as const
  expect(withMember(members, 'a', '3')).toEqual([
    ['a', '3'],
    ['b', '2'],
  ])
  expect(withMember(members, 'c', '3')).toEqual([
    ['a', '1'],
    ['b', '2'],
    ['c', '3'],
  ])
  expect(withMember(members, 'a', undefined)).toEqual([['b', '2']])
})
