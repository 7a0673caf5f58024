import { defaultBrand } from 'polgate-protocol/brand.ts'
import { expect, it } from 'vitest'
import { createPolicyRunner } from './policyRunner.ts'

const runner = createPolicyRunner({ namespace: defaultBrand.regoNamespace, workMs: 5_000 })

const run = (source: string, output: unknown) =>
  runner.run({
    source,
    entrypoint: 'test.allow',
    input: '{}',
    params: '{}',
    paramsSchema: null,
    data: [JSON.stringify(output)],
    now: 1_700_000_000_000,
  })

it('says why a policy has no result, however long what it quotes is', () => {
  const source = 'package test\n\nallow := to_number(data.wasm.text) > 1'
  const messageFor = (text: string): string => {
    try {
      run(source, { text })
      return 'it has a result'
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(messageFor('5')).toBe('it has a result')
  const short =
    'policy.rego:3: eval_builtin_error: to_number: strconv.ParseFloat: parsing "abc": invalid syntax'
  expect(messageFor('abc')).toBe(short)
  // Half of a pair of surrogates would be no text.
  const long = messageFor('\u{1F600}'.repeat(100_000))
  expect(long).toMatch(
    /^policy\.rego:3: eval_builtin_error: to_number: .*\.\.\. \(200\d\d\d characters\)$/u,
  )
  expect(long.length).toBeLessThan(2_100)
  expect(long).not.toMatch(/\p{Surrogate}/u)
})
