import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../engine.ts'
import { RegoError } from '../errors.ts'
import { answerJson, errorsJson, indentJson } from './answer.ts'

const answer = (query: string): string =>
  answerJson(createEngine({ modules: [] }).prepare(query).evaluate())

describe('answers', () => {
  it('contain expressions with text and location, and bindings', () => {
    expect(JSON.parse(answer('x := 1; y := {2}'))).toEqual({
      result: [
        {
          expressions: [
            { value: true, text: 'x := 1', location: { row: 1, col: 1 } },
            { value: true, text: 'y := {2}', location: { row: 1, col: 9 } },
          ],
          bindings: { x: 1, y: [2] },
        },
      ],
    })
    expect(JSON.parse(answer('1 + 1'))).toEqual({
      result: [{ expressions: [{ value: 2, text: '1 + 1', location: { row: 1, col: 1 } }] }],
    })
  })

  it('are empty if undefined, with exact numbers', () => {
    expect(answer('1 = 2')).toBe('{}')
    expect(answer('100000000000000000000 + 1')).toContain('"value": 100000000000000000001')
  })

  it('contain errors with code and location', () => {
    const location = { file: 'p.rego', row: 2, col: 3 }
    const error = new RegoError('rego_parse_error', 'no', { location })
    expect(JSON.parse(errorsJson([error]))).toEqual({
      errors: [{ message: 'no', code: 'rego_parse_error', location }],
    })
  })
})

it('indents any JSON like JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
    }),
  )
})
