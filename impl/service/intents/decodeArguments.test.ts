import fc from 'fast-check'
import { property } from 'polgate-lib/testing/property.ts'
import {
  type AbiParameter,
  bytesToHex,
  concatHex,
  encodeAbiParameters,
  type Hex,
  hexToBytes,
  pad,
  toHex,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { type ArgumentValue, decodeArguments } from './decodeArguments.ts'
import { type AbiType, parseFunctionSignature } from './functionSignature.ts'

const typesOf = (list: string): readonly AbiType[] => parseFunctionSignature(`f(${list})`)!.inputs
const decode = (list: string, ...words: (Hex | number | bigint)[]) =>
  decodeArguments(
    typesOf(list),
    hexToBytes(concatHex(words.map((w) => (typeof w === 'string' ? w : pad(toHex(w)))))),
  )

describe('values', () => {
  it('are decimal strings, bools, lower-case hex and text (decision R2)', () => {
    const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    const list =
      'uint8 a, int256 b, bool c, address d, bytes4 e, bytes f, string g, (uint256 x, bool[] y)[] h'
    const abi: AbiParameter[] = [
      { type: 'uint8' },
      { type: 'int256' },
      { type: 'bool' },
      { type: 'address' },
      { type: 'bytes4' },
      { type: 'bytes' },
      { type: 'string' },
      { type: 'tuple[]', components: [{ type: 'uint256' }, { type: 'bool[]' }] },
    ]
    const data = encodeAbiParameters(abi, [
      255,
      -(2n ** 255n),
      true,
      address,
      '0xDEADBEEF',
      '0xAB',
      'hällo',
      [
        [2n ** 256n - 1n, [true, false]],
        [0n, []],
      ],
    ])
    expect(decodeArguments(typesOf(list), hexToBytes(data))).toEqual([
      '255',
      (-(2n ** 255n)).toString(),
      true,
      address.toLowerCase(),
      '0xdeadbeef',
      '0xab',
      'hällo',
      [
        [(2n ** 256n - 1n).toString(), [true, false]],
        ['0', []],
      ],
    ])
  })

  it('are empty without types, whatever follows', () => {
    expect(decode('')).toEqual([])
    expect(decode('', '0xffff')).toEqual([])
  })

  it('may be followed by other bytes', () => {
    expect(decode('bool', 1, '0xffff')).toEqual([true])
  })
})

describe('input that a contract would reject', () => {
  it.each([
    ['too few bytes', 'uint256', ['0x00']],
    ['a uint8 of 256', 'uint8', [256]],
    ['a bool of 2', 'bool', [2]],
    ['an address with non-zero padding', 'address', [`0x${'01'.repeat(32)}`]],
    ['bytes4 with non-zero padding', 'bytes4', [1]],
    ['an offset outside', 'bytes', [64]],
    ['an enormous offset', 'bytes', [`0x${'ff'.repeat(32)}`]],
    ['a length outside', 'bytes', [32, 33, 0]],
    ['an enormous length', 'bool[]', [32, `0x${'ff'.repeat(32)}`]],
    ['missing elements', 'bool[]', [32, 2, 1]],
    ['an int8 of 128', 'int8', [128]],
  ] as const)('%s', (_, list, words) => {
    expect(decode(list, ...words)).toBeUndefined()
  })
})

describe('calldata that expands', () => {
  it('does not decode if offsets share bytes', () => {
    const count = 100
    const offsets = new Array<number>(count).fill(32 * count)
    expect(decode('bytes[]', 32, count, ...offsets, 32, 7)).toBeUndefined()
  })

  it('is rejected quickly, however often it points to itself', () => {
    const began = performance.now()
    const zeros = `0x${'00'.repeat(1_000_000)}` as const
    decode('bool[][][][][][][][][][]', zeros)
    decode('(bool[999999][999999][999999])[]', zeros)
    decode('string[999999][999999]', zeros)
    decode('bytes[][]', 32, 30_000, ...new Array<number>(30_000).fill(0))
    expect(performance.now() - began).toBeLessThan(2000)
  })
})

type Sample = { abi: AbiParameter; text: string; value: unknown; seen: ArgumentValue }

const bits = fc.integer({ min: 1, max: 32 }).map((bytes) => bytes * 8)
const hex = (min: number, max: number) =>
  fc.uint8Array({ minLength: min, maxLength: max }).map((bytes) => bytesToHex(bytes))

const elementary: fc.Arbitrary<Sample> = fc.oneof(
  bits.chain((size) =>
    fc.bigInt(0n, 2n ** BigInt(size) - 1n).map((n) => ({
      abi: { type: `uint${size}` },
      text: `uint${size}`,
      value: n,
      seen: n.toString(),
    })),
  ),
  bits.chain((size) =>
    fc.bigInt(-(2n ** BigInt(size - 1)), 2n ** BigInt(size - 1) - 1n).map((n) => ({
      abi: { type: `int${size}` },
      text: `int${size}`,
      value: n,
      seen: n.toString(),
    })),
  ),
  fc.boolean().map((value) => ({ abi: { type: 'bool' }, text: 'bool', value, seen: value })),
  hex(20, 20).map((value) => ({ abi: { type: 'address' }, text: 'address', value, seen: value })),
  hex(0, 70).map((value) => ({ abi: { type: 'bytes' }, text: 'bytes', value, seen: value })),
  fc
    .integer({ min: 1, max: 32 })
    .chain((size) => hex(size, size).map((value) => ({ size, value })))
    .map(({ size, value }) => ({
      abi: { type: `bytes${size}` },
      text: `bytes${size}`,
      value,
      seen: value,
    })),
  fc
    .string({ unit: 'grapheme' })
    .map((value) => ({ abi: { type: 'string' }, text: 'string', value, seen: value })),
)

/** Arrays repeat one sample, because their elements must have the same type. */
const sample: fc.Arbitrary<Sample> = fc.letrec<{ any: Sample; array: Sample; tuple: Sample }>(
  (tie) => ({
    any: fc.oneof({ maxDepth: 3, withCrossShrink: true }, elementary, tie('array'), tie('tuple')),
    array: fc
      .tuple(tie('any'), fc.integer({ min: 0, max: 3 }), fc.boolean())
      .map(([of, count, fixed]) => {
        const suffix = fixed && count > 0 ? `[${count}]` : '[]'
        return {
          abi: { ...of.abi, type: of.abi.type + suffix },
          text: of.text + suffix,
          value: new Array(count).fill(of.value),
          seen: new Array(count).fill(of.seen),
        }
      }),
    tuple: fc.array(tie('any'), { minLength: 1, maxLength: 4 }).map((of) => ({
      abi: { type: 'tuple', components: of.map(({ abi }) => abi) },
      text: `(${of.map(({ text }) => text).join()})`,
      value: of.map(({ value }) => value),
      seen: of.map(({ seen }) => seen),
    })),
  }),
).any

const samples = fc.array(sample, { maxLength: 4 })

property([samples], { numRuns: 300 })('decodes what another encoder wrote', (list) => {
  const data = encodeAbiParameters(
    list.map(({ abi }) => abi),
    list.map(({ value }) => value),
  )
  const types = typesOf(list.map(({ text }) => text).join())
  expect(decodeArguments(types, hexToBytes(data))).toEqual(list.map(({ seen }) => seen))
})

property([samples, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 40 })], { numRuns: 300 })(
  'changed or arbitrary bytes decode or do not, and never throw',
  (list, at, bytes) => {
    const types = typesOf(list.map(({ text }) => text).join())
    const data = hexToBytes(
      encodeAbiParameters(
        list.map(({ abi }) => abi),
        list.map(({ value }) => value),
      ),
    )
    data.set(
      bytes.subarray(0, Math.max(0, data.length - (at % (data.length + 1)))),
      at % (data.length + 1),
    )
    decodeArguments(types, data)
    decodeArguments(types, bytes)
  },
)
