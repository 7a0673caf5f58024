import fc from 'fast-check'
import { toFunctionSignature } from 'viem'
import { expect, it } from 'vitest'
import { canonicalSignature, isDeclaration } from './functionText.ts'

const plain = fc.constantFrom(
  'address',
  'uint256',
  'bytes',
  'bytes4',
  'string',
  'int8',
  'bool',
  'uint',
  'int',
)
const arrays = fc.constantFrom('', '', '[]', '[3]', '[][2]')
const named = fc.constantFrom('', ' to', ' memory data_1', '  x', '\n calldata _')
const { parameter } = fc.letrec<{ parameter: string }>((tie) => ({
  parameter: fc
    .tuple(
      fc.oneof(
        { maxDepth: 2, depthSize: 'small' },
        plain,
        fc
          .array(tie('parameter'), { minLength: 1, maxLength: 3 })
          .map((all) => `(${all.join(', ')})`),
      ),
      arrays,
      named,
    )
    .map((parts) => parts.join('')),
}))

it('has the canonical signature of a declaration, as Solidity defines it', () => {
  const modifiers = fc.constantFrom('', ' external', ' public view returns (bool)', ' payable')
  fc.assert(
    fc.property(fc.array(parameter, { maxLength: 4 }), modifiers, (parameters, modifier) => {
      const text = `function transfer(${parameters.join(', ')})${modifier}`
      const expected = toFunctionSignature(text.replaceAll(/\s+/g, ' ') as never)
        .replaceAll(/\buint\b(?!\d)/g, 'uint256')
        .replaceAll(/\bint\b(?!\d)/g, 'int256')
      expect(canonicalSignature(text)).toBe(expected)
    }),
  )
})

it.each([
  'function x',
  'function x(',
  'function x(1)',
  'x(address)',
  `function x(${'(('.repeat(3_000)}`,
])('%.20s has none', (text) => {
  expect(canonicalSignature(text)).toBeUndefined()
})

it('knows a declaration', () => {
  expect(isDeclaration('function transfer(address)')).toBe(true)
  expect(isDeclaration('transfer(address)')).toBe(false)
  expect(isDeclaration('functional(address)')).toBe(false)
})
