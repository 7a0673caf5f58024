import { describe, expect, test } from 'vitest'
import { createEngine } from '../engine.ts'

const compile = (body: string) =>
  createEngine({ modules: [{ name: 'a.rego', source: `package a\n\np if {\n${body}\n}\n` }] })

describe('the variables of every must be used', () => {
  test.each([
    ['every v in [1] { 1 == 1 }', 'declared var v unused'],
    ['every k, v in [1] { v == 1 }', 'declared var k unused'],
    ['every k, v in [1] { k == 0 }', 'declared var v unused'],
    ['every v in [1] { every v in [2] { v == 2 } }', 'declared var v unused'],
    ['every v in [1] { v := 2; v == 1 }', 'var v declared above'],
    ['every v, v in [1] { v == 1 }', 'var v declared above'],
  ])('%s', (body, message) => {
    expect(() => compile(body)).toThrow(message)
  })

  test.each([
    'every _, v in [1] { v == 1 }',
    'v := 1\nevery v in [1] { v == 1 }',
    'every v in [1] { [x | x := v] == [1] }',
  ])('%s', (body) => {
    expect(() => compile(body)).not.toThrow()
  })
})
