import { describe, expect, test } from 'vitest'
import { createEngine } from '../engine.ts'

const compile = (body: string) =>
  createEngine({ modules: [{ name: 'a.rego', source: `package a\n\np if {\n${body}\n}\n` }] })

describe('an empty array literal may be compared with any array', () => {
  test.each([
    'x := [1]\nx == []',
    '[] == [0]',
    '[[]] == [[1]]',
    '[1, []] == [1, [2]]',
    '{"a": []} == {"a": [1]}',
    'x := []\nx[0] == 1',
    'x := []\n[y] = x\ny == 1',
    'some [y] in [[]]\ny == 1',
  ])('%s', (body) => {
    expect(() => compile(body)).not.toThrow()
  })

  test.each(['[] == {}', '[] == "a"', 'x := []\nx == 1'])('but %s is never true', (body) => {
    expect(() => compile(body)).toThrow('match error')
  })
})
