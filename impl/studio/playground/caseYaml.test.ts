import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { caseYaml } from './caseYaml.ts'
import type { PlaygroundAnswer, PlaygroundRequest } from './evaluation.ts'

const from = `0x${'ab'.repeat(20)}`
const request: PlaygroundRequest = {
  ...{ source: '', entrypoint: '', paramsSchema: null, regoNamespace: 'service' },
  input: `{"from": "${from}", "value": 123456789012345678901, "data": "0x", "function": null, "intent_signature": "0x${'12'.repeat(65)}"}`,
  params: '{"most": 12345678901234567890, "name": "a: #b"}',
  data: ['{"price":\n1}'],
  now: 1_800_000_000_123,
}
const answer = (decision: PlaygroundAnswer['decision']): PlaygroundAnswer => ({
  ...{ decision, profile: [], trace: [], milliseconds: 0 },
  diagnostics: decision === undefined ? [{ editor: 'source', message: 'a\n"b": c' }] : [],
})
const decided = (outcome: 'allow' | 'deny' | 'other', reasons: readonly string[] = []) =>
  answer({ outcome, value: '', reasons })

test.each([
  [decided('allow'), 'allow'],
  [decided('deny'), 'deny'],
  [decided('deny', ['x: "y"', 'é\n']), { deny: ['x: "y"', 'é\n'] }],
  [decided('other'), 'denyOrFail'],
  [answer(undefined), { fails: 'a\n"b": c' }],
])('a case is a row of a decision table: %#', (each, expected) => {
  const text = caseYaml('of "0x12": #1', request, each)
  const file = parse(text, { intAsBigInt: true })
  expect(file.cases).toEqual([
    {
      ...{ name: 'of "0x12": #1', time: '2027-01-15T08:00:00.123Z', expect: expected },
      intent: { from, value: '0x6b14e9f812f366c35', data: '0x' },
      intentSignature: `0x${'12'.repeat(65)}`,
      params: { most: 12345678901234567890n, name: 'a: #b' },
    },
  ])
  expect(text).toContain('# Output of an oracle; mocks of its hosts have to give it: {"price": 1}')
})

test('what is not JSON makes no case', () => {
  expect(() => caseYaml('x', { ...request, params: '{' }, decided('allow'))).toThrow()
})
