import { type Abi, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { encodePolicyCalls, type PolicyCall } from './policySetter.ts'

const policy = '0x00000000000000000000000000000000000000aa'
const owner = '0x00000000000000000000000000000000000000bb'
const settings = { policy, owner, policyParams: '{}', expireAfter: 5 } as const

test.each<[string, PolicyCall | PolicyCall[] | undefined, unknown[][]]>([
  ['the default', undefined, [[policy, ['0x7b7d', 5n]]]],
  ['types alone', 'configure(string,uint64,address)', [['{}', 5n, policy]]],
  ['names of a tuple', 'use((uint32 life,bytes params))', [[{ life: 5n, params: '0x7b7d' }]]],
  ['nested tuples', 'a((address,(bytes,uint32)))', [[[policy, ['0x7b7d', 5n]]]]],
  [
    'values and placeholders',
    {
      function: 'a(address,address[],uint256[2],bool,string)',
      arguments: ['$owner', ['$policy', owner], [1, '0x2'], true, 'as it is'],
    },
    [[owner, [policy, owner], [1n, 2n], true, 'as it is']],
  ],
  ['several calls', ['a(address)', 'function b(bytes)'], [[policy], ['0x7b7d']]],
  ['no arguments', 'lock()', [[]]],
])('%s', (_, calls, args) => {
  expect(encodePolicyCalls(calls, settings).map((each) => each.args)).toEqual(args)
})

const abi: Abi = parseAbi([
  'function configure(address policy)',
  'function configure(address policy, uint32 life)',
  'function lock()',
  'function getPolicyAddress() view returns (address)',
])

test.each<[string, PolicyCall, string, Abi?]>([
  ['no signature', 'set policy', "'set policy' is not the signature"],
  ['a very long one', `f(${'uint256,'.repeat(400)}uint256)`, 'is not the signature'],
  ['a name without an ABI', 'configure', 'is not the signature'],
  ['a name of two', 'configure', 'has several functions configure', abi],
  ['a name of none', 'setPolicy', 'has no function setPolicy', abi],
  ['another signature', 'configure(bytes)', 'has no function configure(bytes)', abi],
  ['two addresses', 'a(address,address)', 'address could be $policy as well'],
  ['a type without a meaning', 'a(bool fixed_)', 'are not clear: bool fixed_'],
  ['too few', { function: 'a(address,bytes)', arguments: ['$policy'] }, 'takes 2 arguments, not 1'],
  [
    'an unknown value',
    { function: 'a(address)', arguments: ['$policies'] },
    '$policies is not known',
  ],
  ['a missing value', { function: 'a(address)', arguments: ['$taskManager'] }, 'is not given'],
  [
    'an address as a number',
    { function: 'a(uint8)', arguments: ['$policy'] },
    '$policy is an address',
  ],
  [
    'parameters as a number',
    { function: 'a(uint8)', arguments: ['$params'] },
    'are bytes or a string',
  ],
  ['blocks as bytes', { function: 'a(bytes)', arguments: ['$expireAfter'] }, 'is a uint'],
  ['no whole number', { function: 'a(uint8)', arguments: [1.5] }, 'not a whole number'],
  ['an array of another length', { function: 'a(uint8[2])', arguments: [[1]] }, 'of that length'],
  ['a tuple without a member', { function: 'a((uint8 b))', arguments: [{}] }, 'needs 1 members'],
  ['too large', { function: 'a(uint8)', arguments: [256] }, 'do not fit'],
  ['no address', { function: 'a(address)', arguments: ['0x1'] }, 'do not fit'],
])('%s is refused', (_, call, message, own) => {
  const refused = expect(() => encodePolicyCalls(call, settings, own))
  refused.toThrow(expect.objectContaining({ code: 'INVALID_OPTIONS' }))
  refused.toThrow(message)
})

test('an error names the functions that change the contract, and no others', () => {
  expect(() => encodePolicyCalls('setPolicy(address)', settings, abi)).toThrow(
    /Functions that change it: configure\(address\), configure\(address,uint32\), lock\(\)\./,
  )
})
