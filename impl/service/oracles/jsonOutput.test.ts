import fc from 'fast-check'
import { property } from 'polgate-lib/testing/property.ts'
import { describe, expect, it } from 'vitest'
import { jsonObject } from './jsonOutput.ts'

const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

describe('the output of a component', () => {
  it('may be a hundred levels deep and no deeper', () => {
    expect(jsonObject(nested(100))).toHaveProperty('a')
    expect(() => jsonObject(nested(101))).toThrow('the output is nested deeper than 100 levels')
    // Millions of levels end a recursive reader.
    expect(() => jsonObject(nested(500_000))).toThrow('nested deeper')
  })

  it('is as deep as its brackets, whatever its strings hold', () => {
    const text = JSON.stringify({ '[[': `${'['.repeat(300)}"\\${'{'.repeat(300)}` })
    expect(jsonObject(text)).toEqual(JSON.parse(text))
  })

  it('may hold twenty thousand values and no more', () => {
    const values = (count: number) => `{"a":[${Array(count).fill('","').join(',')}]}`
    expect(jsonObject(values(20_000))).toHaveProperty('a')
    expect(() => jsonObject(values(20_001))).toThrow('the output holds more than 20000 values')
  })

  it.each(['', 'null', '[]', '"{}"', '1', '{', '{"a":}', '{} {}'])('%j is none', (text) => {
    expect(() => jsonObject(text)).toThrow(/^WASM execution failed: the output is not/)
  })
})

property([fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 6 }))])(
  'any object is read as it is',
  (value) => {
    const text = JSON.stringify(value)
    expect(jsonObject(text)).toEqual(JSON.parse(text))
  },
)
