import { stripVTControlCharacters } from 'node:util'
import { wrapText } from 'polgate-lib/text/wrapText.ts'
import { expect, test } from 'vitest'
import { colours } from '../colours.ts'
import type { DevEvent } from './devEvents.ts'
import { devText } from './devText.ts'

const address = `0x${'ab'.repeat(20)}`
const long = 'the value of the transfer exceeds what the policy allows for a day '.repeat(3)
const allow = { decision: 'allow', reason: '', error: null } as const
const deny = { decision: 'deny', reason: `${long}\u001b[2J\n`, error: null } as const

const events: readonly DevEvent[] = [
  {
    ...{ event: 'started', package: 'price-feed', directory: process.cwd(), ownStack: true },
    ...{ gatewayUrl: 'http://127.0.0.1:65535', explorerUrl: null, stack: '.svc/stack.json' },
  },
  { event: 'changed', files: Array(20).fill('oracles/feed.js'), kinds: ['oracle'] },
  { event: 'building', oracle: 'feed' },
  {
    ...{ event: 'applied', client: address, newClient: true, policy: address, policyId: '0x1' },
    ...{ oracles: [], transactions: 2, secrets: ['feed'], mocks: true },
  },
  { event: 'decision', intent: { from: 'case', name: long }, before: allow, after: deny, ms: 1.5 },
  { event: 'decision', intent: { from: 'case', name: 'a' }, before: deny, after: allow, ms: 1.5 },
  {
    ...{ event: 'tests', passed: false, rego: null, cases: { passed: 1, total: 2 }, ms: 1 },
    ...{ failingHosts: { allowed: 1, total: 9 }, failures: Array(20).fill(long) },
    notRun: ['policy_test.rego:3:1: testOpen looks like a test and is not run'],
  },
  { event: 'error', stage: 'policy', message: long, hint: long, inForce: address },
  { event: 'error', stage: 'policy', message: 'x', hint: null, inForce: null },
  { event: 'note', message: long },
  { event: 'waiting' },
  { event: 'stopped' },
]
const printed = (colour: string | undefined, width: number | undefined) =>
  events
    .flatMap((event) => devText(event, colours({}, { FORCE_COLOR: colour })))
    .map((line) => wrapText(line, width))
    .join('\n')

test('every event fits a terminal of 60 columns, with and without colours', () => {
  for (const colour of ['1', undefined])
    for (const line of stripVTControlCharacters(printed(colour, 60)).split('\n'))
      expect(line.length, line).toBeLessThanOrEqual(60)
})

test('colours are the only control characters, and only where they are asked for', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a package contains must not reach a terminal
  const control = /[\u0000-\u0009\u000b-\u001f]/
  expect(printed(undefined, undefined)).not.toMatch(control)
  expect(printed('1', undefined)).toMatch(control)
  expect(stripVTControlCharacters(printed('1', undefined))).toBe(printed(undefined, undefined))
})

test('lists and lines are bounded', () => {
  const text = printed(undefined, undefined)
  expect(text).toContain('and 14 more')
  expect(text).toContain('and 10 more: polgate policy test')
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThan(420)
})
