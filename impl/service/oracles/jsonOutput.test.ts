import fc from 'fast-check'
import { property } from 'polgate-lib/testing/property.ts'
import { describe, expect, it } from 'vitest'
import { jsonObject } from './jsonOutput.ts'

const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

describe('the output of a component', () => {
  it('may have at most a hundred levels', () => {
    expect(jsonObject(nested(100))).toHaveProperty('a')
    expect(() => jsonObject(nested(101))).toThrow('the output is nested deeper than 100 levels')
    // Millions of levels overflow the stack of a recursive parser.
    expect(() => jsonObject(nested(500_000))).toThrow('nested deeper')
  })

  it('has the depth of its brackets, ignoring its strings', () => {
    const text = JSON.stringify({ '[[': `${'['.repeat(300)}"\\${'{'.repeat(300)}` })
    expect(jsonObject(text)).toEqual(JSON.parse(text))
  })

  it('may have at most twenty thousand values', () => {
    const values = (count: number) => `{"a":[${Array(count).fill('","').join(',')}]}`
    expect(jsonObject(values(20_000))).toHaveProperty('a')
    expect(() => jsonObject(values(20_001))).toThrow('the output has more than 20000 values')
  })

  it.each(['', 'null', '[]', '"{}"', '1', '{', '{"a":}', '{} {}'])('%j is invalid', (text) => {
    expect(() => jsonObject(text)).toThrow(/^WASM execution failed: the output is not/)
  })
})

property([fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 6 }))])(
  'any object is parsed unchanged',
  (value) => {
    const text = JSON.stringify(value)
    expect(jsonObject(text)).toEqual(JSON.parse(text))
  },
)
