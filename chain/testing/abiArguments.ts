import fc from 'fast-check'
import type { AbiParameter, Address, Hex } from 'viem'

/** Values that arguments are taken from, besides any others. */
export type KnownValues = {
  readonly addresses: readonly Address[]
  readonly words: readonly Hex[]
  readonly bytes: readonly Hex[]
  readonly texts: readonly string[]
}

/** Arguments of a function, by the types of its ABI. */
export const abiArguments = (
  inputs: readonly AbiParameter[],
  known: KnownValues,
): fc.Arbitrary<readonly unknown[]> => fc.tuple(...inputs.map((input) => argumentOf(input, known)))

function argumentOf(parameter: AbiParameter, known: KnownValues): fc.Arbitrary<unknown> {
  const { type } = parameter
  const list = /^(.*)\[(\d*)\]$/.exec(type)
  if (list !== null) {
    const element = argumentOf({ ...parameter, type: list[1]! }, known)
    const fixed = list[2] === '' ? undefined : Number(list[2])
    return fc.array(element, { minLength: fixed ?? 0, maxLength: fixed ?? 2 })
  }
  if (type === 'tuple') {
    const { components } = parameter as { readonly components: readonly AbiParameter[] }
    return fc.record(
      Object.fromEntries(components.map((each) => [each.name ?? '', argumentOf(each, known)])),
    )
  }
  if (type === 'address') return fc.constantFrom(...known.addresses)
  if (type === 'bool') return fc.boolean()
  if (type === 'string') return fc.oneof(fc.constantFrom(...known.texts), fc.string())
  if (type === 'bytes') return fc.oneof(fc.constantFrom(...known.bytes), hex(0, 70))
  const bits = Number(/\d+$/.exec(type)?.[0])
  if (type.startsWith('bytes'))
    return fc.oneof(...(bits === 32 ? [fc.constantFrom(...known.words)] : []), hex(bits, bits))
  const largest = (1n << BigInt(bits)) - 1n
  const number = fc.oneof(
    fc.bigInt({ min: 0n, max: 3n }),
    fc.constant(largest),
    fc.bigInt({ min: 0n, max: largest }),
  )
  // As viem takes them.
  return bits > 48 ? number : number.map(Number)
}

const hex = (minLength: number, maxLength: number): fc.Arbitrary<Hex> =>
  fc
    .uint8Array({ minLength, maxLength })
    .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
