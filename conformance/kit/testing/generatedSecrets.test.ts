import { expect, test } from 'vitest'
import { canariesIn, canaryOf, isCanary } from '../../core/canary.ts'
import { guardedIn } from '../scenarios/secrets.ts'
import { falseAlarms, generatedPlaintexts, legalVocabulary } from './generatedSecrets.ts'

const seeds = Array.from({ length: 1_000 }, (_, at) => `0x${at.toString(16).padStart(8, '0')}`)

test('nothing that a seed makes the suite look for is in a legal answer', () => {
  expect([...falseAlarms(seeds, legalVocabulary())]).toEqual([])
}, 60_000)

test('a generated secret that is part of the name of a member is not looked for', () => {
  const plaintexts = generatedPlaintexts('0xfad873e0')
  expect(legalVocabulary()).toContain('argument')
  expect(plaintexts.flatMap(guardedIn).every(([, value]) => isCanary(value))).toBe(true)
})

test('uploads with canaries are drawn with every seed, so that a leak is found', () => {
  for (const seed of seeds.slice(0, 50))
    expect(generatedPlaintexts(seed).flatMap(canariesIn).length).toBeGreaterThan(0)
})

test('a canary depends on seed, check and use alone', () => {
  const canary = canaryOf('0x1', 'a', 'x')
  expect(canaryOf('0x1', 'a', 'x')).toBe(canary)
  const others = [canaryOf('0x2', 'a', 'x'), canaryOf('0x1', 'b', 'x'), canaryOf('0x1', 'a', 'y')]
  expect(new Set([canary, ...others]).size).toBe(4)
  expect(canariesIn(`{"a":"${canary}"} ${canary} canary-short`)).toEqual([canary])
})
