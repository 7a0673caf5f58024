import { hexToString, stringToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  buildIntent,
  calledFunction,
  emptyForm,
  functionsOf,
  type IntentForm,
  otherUnit,
} from './intentForm.ts'

const one = `0x${'11'.repeat(20)}`
const form = (changes: Partial<IntentForm>): IntentForm => ({
  ...{ ...emptyForm, policyClient: one, from: one, to: one },
  ...changes,
})
const abi = JSON.stringify([
  { type: 'event', name: 'E', inputs: [] },
  { type: 'function', name: 'view', inputs: [], outputs: [], stateMutability: 'view' },
  {
    ...{ type: 'function', name: 'transfer', outputs: [], stateMutability: 'nonpayable' },
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
  },
])

describe('an intent of the form', () => {
  it('has its value in either unit', () => {
    expect(buildIntent(form({ value: '5' }), 1)).toMatchObject({ intent: { value: '0x5' } })
    expect(buildIntent(form({ value: '1.5', unit: 'ether' }), 1)).toMatchObject({
      intent: { value: `0x${(15n * 10n ** 17n).toString(16)}` },
    })
  })

  it.each(['signature', 'abi'] as const)('has the call of its %s', (call) => {
    const given = { call, abi, signature: 'transfer(address,uint256)', args: [one, '7'] }
    const built = buildIntent(form(given), 1)
    if (!('intent' in built)) throw new Error(JSON.stringify(built))
    expect(built.intent.data).toBe(
      `0xa9059cbb${one.slice(2).padStart(64, '0')}${'7'.padStart(64, '0')}`,
    )
    expect(hexToString(built.intent.function_signature as `0x${string}`)).toBe(
      'transfer(address,uint256)',
    )
  })

  it('has wasm_args as the text of the JSON', () => {
    expect(buildIntent(form({ wasmArgs: ' {"a": 1}' }), 1)).toMatchObject({
      wasmArgs: stringToHex('{"a":1}'),
    })
  })

  it.each([
    [{ policyClient: '' }, 'policyClient', 'choose or enter'],
    [{ to: '0x12' }, 'to', 'not an address'],
    [{ value: '-1' }, 'value', 'whole number of wei'],
    [{ value: '1.5' }, 'value', 'whole number of wei'],
    [{ value: 'x', unit: 'ether' }, 'value', 'number of ether'],
    [{ call: 'data', data: '0x1' }, 'data', 'in pairs'],
    [{ call: 'signature', signature: 'transfer(addres)' }, 'signature', 'not a function signature'],
    [{ call: 'signature', signature: 'f(uint8)', args: ['300'] }, 'signature', '300'],
    [{ call: 'abi', abi: '' }, 'abi', 'paste'],
    [{ call: 'abi', abi: '{' }, 'abi', 'not JSON'],
    [{ call: 'abi', abi: '[]' }, 'abi', 'no function'],
    [{ call: 'abi', abi: 'null' }, 'abi', 'no function'],
    [{ wasmArgs: '{' }, 'wasmArgs', 'not JSON'],
  ] as const)('%j is a problem of %s', (changes, field, text) => {
    const built = buildIntent(form(changes as Partial<IntentForm>), 1)
    expect(built).toEqual({ problems: { [field]: expect.stringContaining(text) } })
  })
})

it('offers the functions of an ABI that change something, or of an artifact', () => {
  expect(functionsOf(abi).map(({ name }) => name)).toEqual(['transfer'])
  expect(functionsOf(`{"abi":${abi}}`)).toHaveLength(1)
  expect(calledFunction(form({ call: 'abi', abi }))?.name).toBe('transfer')
})

it.each([
  ['250000000000000000', 'wei', '0.25 ETH'],
  ['0.25', 'ether', '250000000000000000 wei'],
  ['0.25', 'wei', undefined],
] as const)('%s %s is %s', (value, unit, text) => {
  expect(otherUnit(form({ value, unit }))).toBe(text)
})
