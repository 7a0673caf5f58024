import { describe, expect, it } from 'vitest'
import { exponentOf, fitted } from './fit.ts'

const of = (cost: (size: number) => number) =>
  [1, 4, 16, 64].map((size) => ({ size, cost: cost(size) }))

describe('exponentOf', () => {
  it('is the power of the size', () => {
    expect(exponentOf(of(() => 7))).toBeCloseTo(0)
    expect(exponentOf(of((size) => 3 * size))).toBeCloseTo(1)
    expect(exponentOf(of((size) => size ** 2))).toBeCloseTo(2)
  })

  it('takes the middle of what varies', () => {
    const points = [
      { size: 1, cost: 1 },
      { size: 10, cost: 20 },
      { size: 100, cost: 50 },
    ]
    expect(exponentOf(points)).toBeCloseTo(Math.log10(50) / 2)
  })
})

it('compares the exponent, or last and first, with the bound', () => {
  const linear = of((size) => size)
  expect(fitted({ points: linear, bound: { exponent: 1 } })).toMatchObject({ kept: true })
  expect(fitted({ points: linear, bound: { exponent: 0.5 } })).toMatchObject({ kept: false })
  const flat = [
    { size: 1_000, cost: 100 },
    { size: 2_000, cost: 109 },
  ]
  expect(fitted({ points: flat, bound: { factor: 1.1 } })).toMatchObject({ kept: true })
  expect(fitted({ points: flat, bound: { factor: 1.05 } })).toMatchObject({ kept: false })
})
