import fc from 'fast-check'
import { keccak256, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { hashToCurve } from './hashToCurve.ts'

const P = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n

describe('hashToCurve (decision C3)', () => {
  it('matches the vectors of the decision', () => {
    expect(hashToCurve(`0x${'00'.repeat(32)}`)).toEqual({ X: 1n, Y: 2n })
    expect(hashToCurve(keccak256(toHex('hello')))).toEqual({
      X: 0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac9n,
      Y: 0x00a4852e8f1be4c9df00fd9bd67cbc17830f7149d0b6a0b41c9f9a1e40718d37n,
    })
  })

  it('uses the first x from the digest upwards that has a point, and the root of the decision', () => {
    const isSquare = (value: bigint) => value === 0n || power(value, (P - 1n) / 2n) === 1n
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (digest) => {
        const { X, Y } = hashToCurve(toHex(digest, { size: 32 }))
        expect((Y * Y) % P).toBe((X ** 3n + 3n) % P)
        expect(Y).toBe(power((X ** 3n + 3n) % P, (P + 1n) / 4n))
        for (let x = digest % P; x !== X; x = (x + 1n) % P) {
          expect(isSquare((x ** 3n + 3n) % P)).toBe(false)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('never exceeds the largest x, which has a point: (-1)³ + 3 = 2 is a square', () => {
    const { X, Y } = hashToCurve(toHex(P - 1n, { size: 32 }))
    expect([X, (Y * Y) % P]).toEqual([P - 1n, 2n])
  })
})

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let e = exponent, b = base; e > 0n; e >>= 1n, b = (b * b) % P) {
    if (e & 1n) result = (result * b) % P
  }
  return result
}
