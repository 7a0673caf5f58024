import { toHex } from 'viem'
import { expect, it } from 'vitest'
import { bloomHas } from './bloom.ts'

const bloomOf = (...bits: readonly number[]) =>
  toHex(
    bits.reduce((sum, bit) => sum | (1n << BigInt(bit)), 0n),
    { size: 256 },
  )

it('contains values whose three bits are set, and no others', () => {
  // A well-known example: its hash begins with bd2b 01af cd27.
  const address = '0x0f572e5295c57f15886f9b263e2f6d2d6c7b5ec6'
  const bits = [1_323, 431, 1_319]
  expect(bloomHas(bloomOf(...bits), address)).toBe(true)
  for (const bit of bits) {
    const others = bits.filter((other) => other !== bit)
    expect(bloomHas(bloomOf(...others), address)).toBe(false)
  }
  expect(bloomHas(bloomOf(), address)).toBe(false)
})
