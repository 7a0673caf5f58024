import { Ajv } from 'ajv'
import { methods } from 'polgate-protocol/methods.ts'
import { describe, expect, test } from 'vitest'
import { clauses } from '../../register/register.ts'
import { malformed, matrix } from './matrix.ts'
import { nameOf, parameters, unspecified } from './parameters.ts'
import { specified } from './specified.ts'

const ajv = new Ajv({ strict: false })
const address = `0x${'11'.repeat(20)}`
const intent = {
  from: address,
  to: address,
  value: '0x0',
  data: '0x',
  chain_id: '0x7a69',
  function_signature: '0x',
}
const id = `0x${'22'.repeat(32)}`

/** Valid params of every method that has some. */
const valid: Readonly<Record<string, Record<string, unknown>>> = {
  createTask: { policy_client: address, intent },
  sendTask: { policy_client: address, intent },
  simulateTask: {
    intent,
    policy_task_data: { policyId: id, policyAddress: address, policy: '0x', policyData: [] },
  },
  simulatePolicy: { policy_client: address, policy: 'package policy', intent, policy_data: [] },
  simulatePolicyData: { policy_data_address: address, chain_id: 31337 },
  simulatePolicyDataWithClient: { policy_data_address: address, policy_client: address },
  storeEncryptedSecrets: { policy_client: address, policy_data_address: address, envelope: '{}' },
  registerWebhook: { url: 'https://hooks.example' },
  uploadIdentityEncrypted: {
    identity_owner: address,
    identity_owner_sig: `0x${'33'.repeat(65)}`,
    envelope: '{}',
    identity_domain: id,
    chain_id: 31337,
  },
  getIdentityEncrypted: { data_ref_id: id },
  uploadConfidentialData: { provider: address, domain: id, envelope: '{}', chain_id: 31337 },
  getConfidentialData: { data_ref_id: id },
}

const isValid = Object.fromEntries(
  Object.entries(methods).map(([name, { params }]) => [name, ajv.compile(params)]),
)

describe('the parameters', () => {
  test('are those of the schemas; those that nothing specifies are of the short form', () => {
    expect(unspecified).toEqual([
      'simulateTask.policy_client',
      'simulateTask.intent_signature',
      'simulateTask.wasm_args',
    ])
    expect(new Set(parameters.map(nameOf))).toEqual(new Set(Object.keys(specified)))
  })

  test('include every member of nested objects and of entries of arrays', () => {
    const names = parameters.map(nameOf)
    expect(names).toContain('sendTask.intent.chain_id')
    expect(names).toContain('simulateTask.policy_task_data.policyData[].expireBlock')
    expect(names).toContain('simulatePolicy.policy_data[].wasm_args')
  })

  test('each cite a required clause of the register', () => {
    const level = new Map(clauses.map((clause) => [clause.id, clause.level]))
    const cited = matrix.flatMap(({ parameter, rule }) =>
      [parameter.clause, rule.clause ?? []].flat(),
    )
    expect(cited.filter((clause) => level.get(clause) !== 'must')).toEqual([])
  })
})

describe.each(Object.keys(valid))('the cases of %s', (method) => {
  const cases = matrix.filter(({ parameter }) => parameter.method === method)

  test('start from valid params', () => {
    expect(isValid[method]!(valid[method])).toBe(true)
  })

  test('make them invalid', () => {
    expect(cases).not.toEqual([])
    const harmless = cases.filter((each) => isValid[method]!(malformed(valid[method]!, each)))
    expect(harmless.map(({ parameter, rule }) => `${parameter.path} ${rule.name}`)).toEqual([])
  })
})

test('the sample tries every parameter, and every rule with every method', () => {
  const pairs = (some: typeof matrix) =>
    new Set(some.map(({ parameter: { method, kind }, rule }) => `${method} ${kind} ${rule.name}`))
  const sample = matrix.filter(({ sampled }) => sampled)
  expect(new Set(sample.map(({ parameter }) => parameter))).toEqual(new Set(parameters))
  expect(pairs(sample)).toEqual(pairs(matrix))
  expect(sample.length).toBeLessThan(matrix.length)
})
