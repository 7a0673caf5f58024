import { expect, test } from 'vitest'
import { EngineCache } from './engineCache.ts'

const modules = (value: number, name = 'a.rego') => [{ name, source: `package a\nx := ${value}` }]

test('one content, one engine', () => {
  const cache = new EngineCache()
  expect(cache.get(modules(1))).toBe(cache.get(modules(1)))
  expect(cache.get(modules(2)).evaluateRule('a.x')).toBe(2)
  expect(cache.get(modules(1)).evaluateRule('a.x')).toBe(1)
})

test('names are part of the key, separated from the text', () => {
  const cache = new EngineCache()
  expect(cache.get(modules(1, 'a.rego'))).not.toBe(cache.get(modules(1, 'b.rego')))
  expect(cache.size).toBe(2)
})

test('the least recently used engine is evicted first', () => {
  const cache = new EngineCache({ capacity: 2 })
  const first = cache.get(modules(1))
  const second = cache.get(modules(2))
  cache.get(modules(1))
  cache.get(modules(3))
  expect(cache.size).toBe(2)
  expect(cache.get(modules(1))).toBe(first)
  expect(cache.get(modules(2))).not.toBe(second)
})

test('an error is reported each time', () => {
  const cache = new EngineCache()
  const wrong = [{ name: 'a.rego', source: 'package a\nx := y' }]
  expect(() => cache.get(wrong)).toThrow('var y is unsafe')
  expect(() => cache.get(wrong)).toThrow('var y is unsafe')
  expect(cache.size).toBe(0)
})
