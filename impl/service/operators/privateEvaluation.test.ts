import { defaultBrand } from 'polgate-protocol/brand.ts'
import { expect, test } from 'vitest'
import { evaluationKeys } from './evaluationKeys.ts'
import type { PolicyEvaluation } from './policyEvaluator.ts'
import { createPolicyRunner } from './policyRunner.ts'

const marker = 'secret74219'
const runner = createPolicyRunner({ namespace: defaultBrand.regoNamespace, workMs: 2_000 })

const bytesOf = (document: unknown) => new TextEncoder().encode(JSON.stringify(document))
const opened = (more: object = {}) =>
  bytesOf({ identity: null, confidential: {}, privacy: { key: marker }, ...more })

const evaluationOf = (source: string, more: Partial<PolicyEvaluation> = {}): PolicyEvaluation => ({
  source: `package policy\n\n${source}\n`,
  entrypoint: 'policy.allow',
  input: '{}',
  params: '{}',
  paramsSchema: null,
  data: [],
  now: Date.parse('2026-03-01'),
  ...more,
})

test('a policy decides over identity, confidential and ephemeral data', () => {
  const source = `default allow := false

allow if {
	service.identity.age_gte(18)
	not service.confidential.blacklist.contains("0x${'11'.repeat(20)}")
	data.privacy.bid > data.params.least
	data.wasm.price < 5
}

deny contains "listed" if service.confidential.blacklist.contains("0x${'22'.repeat(20)}")`
  const privateData = opened({
    identity: { birthdate: '2000-01-01' },
    confidential: { blacklist: { granted: true, data: { entries: [`0x${'22'.repeat(20)}`] } } },
    privacy: { bid: 10 },
  })
  const more = { privateData, params: '{"least":9}', data: ['{"price":4}'] }
  expect(runner.run(evaluationOf(source, more))).toEqual({
    result: 'true',
    reasons: ['listed'],
    wasm: '{"price":4}',
  })
})

test('data.privacy is undefined without private data', () => {
  const source = 'default allow := "none"\n\nallow := data.privacy'
  expect(runner.run(evaluationOf(source)).result).toBe('"none"')
  expect(runner.run(evaluationOf(source, { privateData: opened({ privacy: {} }) })).result).toBe(
    '{}',
  )
})

test.each<[string, string, Partial<PolicyEvaluation>, RegExp | undefined]>([
  ['the evaluation', 'allow := true', {}, undefined],
  ['one that fails', 'allow := to_number(data.privacy.key)', {}, /details are hidden/],
  ['a policy that does not compile', 'allow if {', {}, /rego_parse_error/],
  ['an undefined rule', 'other := 1', {}, /^undefined rule 'policy.allow'$/],
  ['params that are not JSON', 'allow := true', { params: '{' }, /JSON/],
  ['data that is not an object', 'allow := true', { data: ['[]'] }, /no. a JSON object$/],
  [
    'a rule below data.privacy',
    'allow := true',
    { source: 'package privacy\n\nkey := 1' },
    /details are hidden/,
  ],
  ...['', '{', `{"${marker}"`, '[]', `{"identity":"${marker}"}`].map(
    (text): [string, string, Partial<PolicyEvaluation>, RegExp] => [
      `private data ${text}`,
      'allow := true',
      { privateData: new TextEncoder().encode(text) },
      /^the private data of the evaluation is malformed$/,
    ],
  ),
  [
    'private data that is not UTF-8',
    'allow := true',
    { privateData: Uint8Array.of(0xff, 0xfe) },
    /^the private data of the evaluation is malformed$/,
  ],
])('the bytes are zero after %s, and no error names a value', (_, source, more, message) => {
  const privateData = more.privateData ?? opened()
  let text: string | undefined
  try {
    runner.run(evaluationOf(source, { ...more, privateData }))
  } catch (error) {
    text = (error as Error).message
  }
  expect(privateData.every((byte) => byte === 0)).toBe(true)
  if (message === undefined) expect(text).toBeUndefined()
  else expect(text).toMatch(message)
  expect(text ?? '').not.toContain('74219')
})

test('a key has a digest of private data, with a secret of its own', () => {
  const keyOf = evaluationKeys()
  const [one, same, other] = [opened(), opened(), opened({ privacy: {} })].map((privateData) =>
    keyOf(evaluationOf('allow := true', { privateData })),
  )
  expect(one).toBe(same)
  expect(new Set([one, other, keyOf(evaluationOf('allow := true'))]).size).toBe(3)
  expect(one).not.toContain(marker)
  expect(one).not.toContain([...opened()].slice(0, 8).join(','))
  expect(evaluationKeys()(evaluationOf('allow := true', { privateData: opened() }))).not.toBe(one)
})
