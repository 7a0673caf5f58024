import { describe, expect, it } from 'vitest'
import { answerOf } from '../testing/answers.ts'
import { canonicalKey } from './canonical.ts'
import { compare, equal } from './compare.ts'
import { display } from './display.ts'
import { stringify, toJson } from './json.ts'
import { parseJson } from './parseJson.ts'
import { plain } from './plain.ts'
import { isComposite, typeName, type Value } from './value.ts'
import { asWritten, parseWritten, WrittenNumber } from './writtenNumber.ts'

const written = (text: string): Value => parseJson(text, { written: true })

describe('written numbers', () => {
  it.each([
    ['100.0', 100],
    ['1e6', 1_000_000],
    ['-2.50E+1', -25],
    ['1e20', 10n ** 20n],
    ['0.0', 0],
  ])('%s is %s and keeps its text', (text, value) => {
    const number = parseWritten(text)
    expect(number).toBeInstanceOf(WrittenNumber)
    expect(number).toMatchObject({ value, text })
  })

  it.each(['100', '-7', '0.5', '18446744073709551616', '1e-3'])('%s is plain', (text) => {
    expect(parseWritten(text)).not.toBeInstanceOf(WrittenNumber)
  })

  it('equal the integer, in every order, as keys and in documents', () => {
    const one = asWritten(1, '1.0')
    expect([equal(one, 1), equal(1, one), equal(one, asWritten(1, '1e0'))]).toEqual([
      true,
      true,
      true,
    ])
    expect([equal(one, 2), equal(one, 'a'), equal([], one)]).toEqual([false, false, false])
    expect([compare(one, 1), compare(one, 2), compare('a', one), compare(one, true)]).toEqual([
      0, -1, 1, 1,
    ])
    expect(canonicalKey([one])).toBe(canonicalKey([1]))
    expect([typeName(one), isComposite(one), stringify(one), toJson([one])]).toEqual([
      'number',
      false,
      '1',
      [1],
    ])
    expect(display([one])).toBe('[1.0]')
  })

  it('are integers in plain values, which share what has none', () => {
    const value = written('{"a": [1.0, {"b": 2}], "c": {"d": 3}}') as Value
    expect(plain(value)).toEqual(parseJson('{"a": [1, {"b": 2}], "c": {"d": 3}}'))
    expect(plain(value)).toBe(plain(value))
    const without = written('{"a": [1, 2.5]}')
    expect(plain(without)).toBe(without)
  })
})

/** Every integer as a fraction: `1` becomes `1.0`. */
const asFractions = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*|\d+(?:\.\d+)?/g, (token) =>
    /^\d+$/.test(token) ? `${token}.0` : token,
  )

describe('a policy answers the same for integers written as fractions', () => {
  it.each([
    'p := [input.n == 1, 1 == input.n, input.n != 1, input.n < 2, 2 > input.n, input.n >= 1]',
    'p := [input.n + 1, input.n - 1, 2 * input.n, 4 / 2, 5 % 3, -1]',
    'p := {1, input.n, 2} | {1}',
    'p := {1: "a", 2: "b"}[input.n]',
    'p := [input.list[1], input.list[input.n], [5, 6][1]]',
    'p := [x | some x in input.list; x == 2]',
    'p := [i | some i, 2 in input.list]',
    'p := [1 in input.list, 3 in {3, 4}, 1, 2 in [1, 2]]',
    'p := {"a": x | input.list[x] == 2}',
    'p if { [1, 2, 3] = input.list }',
    'p if { {1, 2} == {x | some x in [1, 2, 2]} }',
    'p if { every x in input.list { x > 0; x < 4 } }',
    'p := f(1)\nf(1) := "one"\nf(2) := "two"',
    'p := f(input.n)\nf(x) := "one" if x == 1\nf(x) := "two" if x == 2\nf(x) := "three" if x == 3\nf(x) := "four" if x == 4',
    'p := [f(input.n), f(1)]\nf(x) := count([y | some y in numbers.range(1, 50); y >= x])',
    'p := q[input.n]\nq[1] := "a"\nq[2] := "b"',
    'p := q\nq contains input.n\nq contains 1',
    'p := 1 if input.n == 1\np := 1 if input.n < 2',
    'p := sum(input.list) + count(input.list) + max(input.list) + product([2, 3])',
    'p := [sort([3, 1, 2]), array.slice(input.list, 1, 2), numbers.range(1, 3), substring("abc", 1, 1)]',
    'p := [bits.and(6, 3), round(2), abs(-1), ceil(1), format_int(12, 10), is_number(1), type_name(1)]',
    'p := [json.marshal({"a": 1, "b": [2]}), object.get({"a": 1}, "a", 2), object.keys({1: 2})]',
    'p := y if { some x in input.rows; x.id == 17; y := x.name }',
    'p := [y | some z in [3, 17, 17]; some x in input.rows; x.id == z; y := x.name]',
    'p := x if { x := r with input.n as 2 }\nr := input.n + 1',
    'p := [a | [a, 1] = [input.n, 1]]',
    'p := data.numbers[1]',
    'p := [x | walk([1, [2]], [_, x]); is_number(x)]',
    'p := json.patch({"a": [1, 2]}, [{"op": "test", "path": "/a/0", "value": 1}])',
    'p := object.subset({"a": 1, "b": 2}, {"a": 1})',
  ])('%s', (source) => {
    const rows = Array.from({ length: 20 }, (_, i) => ({ id: i, name: `n${i}` }))
    const inputJson = JSON.stringify({ n: 1, list: [1, 2, 3], rows })
    const dataJson = '{"numbers": [1, 2]}'
    const answer = answerOf(source, { inputJson, dataJson })
    expect(answer).not.toBe('undefined')
    expect(
      answerOf(asFractions(source), {
        inputJson: asFractions(inputJson),
        dataJson: asFractions(dataJson),
      }),
    ).toBe(answer)
  })
})
