import { AppError } from 'polgate-lib/errors/appError.ts'
import type { Hex } from 'polgate-protocol/scalars.ts'
import { bytesToHex } from 'viem'
import type { AbiType } from './functionSignature.ts'

/** An argument in the input of a policy (decision R2). */
export type ArgumentValue = string | boolean | readonly ArgumentValue[]

const word = 32

class NotDecodable extends AppError {}

const isDynamic = (type: AbiType): boolean =>
  type.kind === 'string' ||
  type.kind === 'bytes' ||
  (type.kind === 'array' && (type.length === undefined || isDynamic(type.of))) ||
  (type.kind === 'tuple' && type.of.some(isDynamic))

/** Size of a value in the head; a dynamic one has an offset there. */
function headSize(type: AbiType): number {
  if (isDynamic(type)) return word
  if (type.kind === 'array') return (type.length ?? 0) * headSize(type.of)
  if (type.kind === 'tuple') return type.of.reduce((sum, inner) => sum + headSize(inner), 0)
  return word
}

/**
 * Decodes ABI-encoded arguments strictly. Input that a contract compiled today would reject
 * (non-zero padding, a bool of 2, offsets outside) does not decode, and neither does calldata whose
 * offsets share bytes to expand beyond its size: the output is bounded by the input. Bytes after
 * the last argument are allowed, as on chain.
 *
 * @returns undefined if the bytes are not such arguments. Never throws.
 */
export function decodeArguments(
  types: readonly AbiType[],
  data: Uint8Array,
): readonly ArgumentValue[] | undefined {
  let budget = data.length + word

  const slice = (at: number, size: number): Uint8Array => {
    if (at + size > data.length) throw new NotDecodable()
    budget -= size
    if (budget < 0) throw new NotDecodable()
    return data.subarray(at, at + size)
  }
  const integer = (at: number): bigint => BigInt(bytesToHex(slice(at, word)))
  const length = (at: number): number => {
    const value = integer(at)
    if (value > BigInt(data.length)) throw new NotDecodable()
    return Number(value)
  }
  const zeros = (bytes: Uint8Array) => {
    if (bytes.some((byte) => byte !== 0)) throw new NotDecodable()
  }

  const elementary = (type: AbiType, at: number): ArgumentValue => {
    switch (type.kind) {
      case 'uint': {
        const value = integer(at)
        if (value >> BigInt(type.bits) !== 0n) throw new NotDecodable()
        return value.toString()
      }
      case 'int': {
        const value = BigInt.asIntN(256, integer(at))
        if (BigInt.asIntN(type.bits, value) !== value) throw new NotDecodable()
        return value.toString()
      }
      case 'bool': {
        const value = integer(at)
        if (value > 1n) throw new NotDecodable()
        return value === 1n
      }
      case 'address': {
        const bytes = slice(at, word)
        zeros(bytes.subarray(0, 12))
        return bytesToHex(bytes.subarray(12))
      }
      case 'fixedBytes': {
        const bytes = slice(at, word)
        zeros(bytes.subarray(type.size))
        return bytesToHex(bytes.subarray(0, type.size))
      }
      default: {
        const size = length(at)
        const bytes = slice(at + word, size)
        return type.kind === 'bytes' ? bytesToHex(bytes) : new TextDecoder().decode(bytes)
      }
    }
  }

  const value = (type: AbiType, at: number): ArgumentValue => {
    if (type.kind === 'tuple') return sequence(type.of.length, (index) => type.of[index]!, at)
    if (type.kind !== 'array') return elementary(type, at)
    if (type.length !== undefined) return sequence(type.length, () => type.of, at)
    const count = length(at)
    return sequence(count, () => type.of, at + word)
  }

  /** Consecutive values; offsets of dynamic ones are relative to the start of the sequence. */
  const sequence = (count: number, typeAt: (index: number) => AbiType, start: number) => {
    const values: ArgumentValue[] = []
    let at = start
    for (let index = 0; index < count; index++) {
      const type = typeAt(index)
      values.push(value(type, isDynamic(type) ? start + length(at) : at))
      at += headSize(type)
    }
    return values
  }

  try {
    return sequence(types.length, (index) => types[index]!, 0)
  } catch (error) {
    if (error instanceof NotDecodable) return undefined
    throw error
  }
}

/** The bytes of a hex string that has passed the schema. */
export const bytesOf = (hex: Hex): Uint8Array => Buffer.from(hex.slice(2), 'hex')
