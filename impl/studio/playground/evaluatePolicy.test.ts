import { createPolicyRunner } from 'polgate-service/operators/policyRunner.ts'
import { expect, test } from 'vitest'
import { evaluatePolicy } from './evaluatePolicy.ts'
import type { PlaygroundRequest } from './evaluation.ts'

const source = `package limit

default allow := false

allow if count(deny) == 0

deny contains sprintf("%d is over %d", [input.value, most]) if input.value > most

most := data.params.most * data.wasm.price

unused := 1 if input.never
`
const request: PlaygroundRequest = {
  ...{ source, entrypoint: 'limit.allow', input: '{"value": 30}', params: '{"most": 10}' },
  ...{ paramsSchema: null, data: ['{"price": 9}', '{"price": 2}'], now: 1_800_000_000_000 },
  regoNamespace: 'service',
}
const evaluated = (change: Partial<PlaygroundRequest> = {}) =>
  evaluatePolicy({ ...request, ...change })

test('a decision has its reasons, coverage, profile and trace', async () => {
  const { decision, diagnostics, coverage, profile, trace } = await evaluated()
  expect(decision).toEqual({ outcome: 'deny', value: 'false', reasons: ['30 is over 20'] })
  expect(diagnostics).toEqual([])
  expect(coverage).toMatchObject({ covered: [3, 7, 9], notCovered: [5, 11] })
  expect(profile.find(({ row }) => row === 7)).toMatchObject({ evaluations: 1, passes: 1 })
  const rule = trace.find(({ name }) => name === 'data.limit.allow')
  expect(rule?.definitions[0]).toMatchObject({
    held: false,
    failures: [{ text: 'count(deny) == 0' }],
  })
})

test('it decides as an operator does', async () => {
  const runner = createPolicyRunner({ namespace: 'service', workMs: 2_000 })
  const personal = `package limit
allow := service.crypto.ecdsa_recover_signer_personal(input.signature, "hello") == input.from
deny contains uuid.rfc4122("a")
deny contains time.format(time.now_ns())
deny contains sprintf("%d", [data.wasm.price * 100000000000000000000])`
  // Signed with the first development key.
  const input = JSON.stringify({
    signature: `0x${'11'.repeat(64)}1b`,
    from: '0x',
  })
  for (const change of [{}, { params: '{"most": 100}' }, { source: personal, input }]) {
    const each = { ...request, ...change }
    const operator = () => runner.run(each)
    const { decision, diagnostics } = await evaluatePolicy(each)
    if (decision === undefined) {
      expect(operator).toThrow(diagnostics[0]!.message.split(': ').at(-1))
    } else {
      const { result, reasons } = runner.run({
        ...each,
        input: JSON.stringify(JSON.parse(each.input)),
      })
      expect([decision.value, decision.reasons]).toEqual([result, reasons])
    }
  }
})

const failures: readonly (readonly [string, Partial<PlaygroundRequest>, object])[] = [
  ['syntax', { source: 'package limit\n\nallow if {' }, { editor: 'source', row: 3 }],
  ['an unknown function', { source: 'package limit\nallow := nothing(1)' }, { row: 2, col: 10 }],
  [
    'a built-in that the service does not have',
    { source: 'package limit\nallow := crypto.md5("a")' },
    { row: 2, message: expect.stringContaining('undefined function crypto.md5') },
  ],
  ['a conflict', { source: 'package limit\nallow := 1\nallow := 2 if true' }, { editor: 'source' }],
  [
    'no such rule',
    { entrypoint: 'limit.none' },
    { message: expect.stringContaining('undefined rule') },
  ],
  [
    'no value',
    { source: 'package limit\nallow if false' },
    { message: expect.stringContaining('undefined') },
  ],
  ['input that is not JSON', { input: '{' }, { editor: 'input' }],
  ['params that are no JSON', { params: '' }, { editor: 'params' }],
  ['output that is not an object', { data: ['1'] }, { editor: 'data' }],
  [
    'params that do not match',
    { paramsSchema: '{"properties": {"most": {"type": "string"}}}' },
    { editor: 'params', message: expect.stringContaining('do not match their schema: most') },
  ],
  ['a schema that is not JSON', { paramsSchema: '{' }, { editor: 'params' }],
]
test.each(failures)('%s: no decision, and a diagnostic', async (_, change, expected) => {
  const { decision, diagnostics } = await evaluated(change)
  expect(decision).toBeUndefined()
  expect(diagnostics[0]).toMatchObject(expected)
})

test('endless work: no decision, and a diagnostic', async () => {
  const numbers = 'numbers.range(1, 1000)[_]'
  const endless = `package limit\nallow if ${numbers} * ${numbers} == 0`
  const { decision, diagnostics } = await evaluatePolicy(
    { ...request, source: endless },
    { steps: 10_000 },
  )
  expect([decision, diagnostics[0]?.message]).toEqual([
    undefined,
    expect.stringContaining('eval_cancel_error'),
  ])
})
