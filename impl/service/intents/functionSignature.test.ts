import fc from 'fast-check'
import { property } from 'polgate-lib/testing/property.ts'
import { describe, expect, it } from 'vitest'
import { parseFunctionSignature } from './functionSignature.ts'

const canonical = (text: string) => parseFunctionSignature(text)?.canonical

describe('signature', () => {
  it.each([
    ['transfer(address,uint256)', 'transfer(address,uint256)'],
    ['function transfer(address,uint256)', 'transfer(address,uint256)'],
    ['transfer(address to, uint256 amount)', 'transfer(address,uint256)'],
    ['  function   transfer ( address to , uint256 amount ) ', 'transfer(address,uint256)'],
    ['transfer(address to, uint amount)', 'transfer(address,uint256)'],
    ['f(int)', 'f(int256)'],
    ['f()', 'f()'],
    ['f( )', 'f()'],
    ['functional()', 'functional()'],
    ['$_1()', '$_1()'],
    ['f(bytes32[] calldata ids)', 'f(bytes32[])'],
    ['f(uint8[2][])', 'f(uint8[2][])'],
    ['f((address,uint256))', 'f((address,uint256))'],
    ['f(tuple(address a, uint256 b) pair)', 'f((address,uint256))'],
    [
      'f((address a, (bytes b, bool c)[] d)[3] e, string f)',
      'f((address,(bytes,bool)[])[3],string)',
    ],
    ['f(address payable to)', 'f(address)'],
    ['f(uint256) external view returns (uint256, address)', 'f(uint256)'],
    ['f(uint256) returns (bool);', 'f(uint256)'],
    ['f(uint256) public payable', 'f(uint256)'],
  ])('%s', (text, expected) => {
    expect(canonical(text)).toBe(expected)
  })

  it.each([
    '',
    'f',
    'f(',
    'f)',
    'f(address',
    'f(address))',
    'f(address,)',
    'f(,address)',
    'f(address uint256)x',
    'f(address a b)',
    'f(uint7)',
    'f(uint264)',
    'f(uint0)',
    'f(uint08)',
    'f(bytes0)',
    'f(bytes33)',
    'f(float)',
    'f(address[0])',
    'f(address[-1])',
    'f(address[01])',
    'f(address[1)',
    'f(address])',
    'f(())',
    'f(()[])',
    'f(uint256[]a)',
    '1f()',
    'f g()',
    'f() nonsense',
    'f() returns',
    '0xa9059cbb',
    'f(address)\0',
    'function',
    'function()',
    'function function()',
  ])('%j is invalid', (text) => {
    expect(canonical(text)).toBeUndefined()
  })

  it('is bounded in length, depth and number of types', () => {
    expect(canonical(`f(${'('.repeat(10)}bool${')'.repeat(10)})`)).toBeDefined()
    expect(canonical(`f(${'('.repeat(20)}bool${')'.repeat(20)})`)).toBeUndefined()
    expect(canonical(`f(bool${'[]'.repeat(20)})`)).toBeUndefined()
    expect(canonical(`f(${new Array(300).fill('bool').join()})`)).toBeUndefined()
    expect(canonical(`f(bool ${'a'.repeat(5000)})`)).toBeUndefined()
  })
})

const fragments = [
  'f',
  'function ',
  '(',
  ')',
  '[',
  ']',
  ',',
  ' ',
  'uint256',
  'tuple',
  'bytes',
  '7',
  'returns',
  ';',
  'ä',
]

property([
  fc.array(fc.constantFrom(...fragments), { maxLength: 60 }).map((parts) => parts.join('')),
])('any text is either invalid or a signature whose canonical form parses to itself', (text) => {
  const found = canonical(text)
  if (found !== undefined) expect(canonical(found)).toBe(found)
})
