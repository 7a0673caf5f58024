import { describe, expect, it } from 'vitest'
import { isSameObservation } from './observationTolerance.ts'

describe('observed and settled data', () => {
  it.each([
    ['{"a":1}', '{"a":1}'],
    ['{"a":1,"b":[2,"x"]}', '{"b":[2,"x"],"a":1}'],
    ['{"price":1.05}', '{"price":1}'],
    ['{"price":-110}', '{"price":-100}'],
    ['{"wei":123456789012345678901}', '{"wei":123456789012345678902}'],
    ['{"a":0,"a":1}', '{"a":1.05}'],
    ['{"a":": \\"b\\": {","c":1}', '{"c":1.01,"a":": \\"b\\": {"}'],
    ['{"a":0.99}', '{"a":1.1}'],
  ])('are the same observation: %s and %s', (own, settled) => {
    expect(isSameObservation(own, settled)).toBe(true)
  })

  it.each([
    ['{"price":1.2}', '{"price":1}'],
    ['{"price":1}', '{"price":-1}'],
    ['{"a":0.1}', '{"a":0}'],
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":"x"}', '{"a":"y"}'],
    ['{"a":1}', '{"a":1,"b":2}'],
    ['{"a":1,"b":2}', '{"a":1}'],
    ['{"a":1}', '{"b":1}'],
    ['{"toString":1}', '{"x":1}'],
    ['[1]', '{"0":1}'],
    ['[1,2]', '[1]'],
    ['{"a":null}', '{"a":false}'],
    ['{"a":1}', '{"a":'],
    ['{"a":1,"b":2}', '{"a":9,"b":2,"a":1}'],
    ['{"a":1}', '{"a" : 9, "a":1}'],
    ['{"a":{"b":1}}', '{"a":{"b":7,"b":1}}'],
    ['{"a":1e400}', '{"a":-1e400}'],
    ['{"a":1}', '{"a":1e400}'],
    [
      `${'['.repeat(200_000)}1${']'.repeat(200_000)}`,
      `${'['.repeat(200_000)}2${']'.repeat(200_000)}`,
    ],
  ])('are different observations (%#)', (own, settled) => {
    expect(isSameObservation(own, settled)).toBe(false)
  })
})
