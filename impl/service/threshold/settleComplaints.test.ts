import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { hexOf } from './group.ts'
import { groupOf } from './keyGeneration.fixture.ts'
import { commitTo, randomPolynomial, valueAt } from './polynomial.ts'
import { settleComplaints } from './settleComplaints.ts'

const { roster } = groupOf(5, 2)
const polynomials = roster.members.map(() => randomPolynomial(2, randomBytes))
const dealt = polynomials.map(commitTo)

/** The first dealer answers every complaint truthfully. */
const settle = (complainers: number[], place = 2) =>
  settleComplaints({
    roster,
    dealt,
    complaints: roster.members.map((_, at) => (complainers.includes(at + 1) ? [1] : [])),
    answers: roster.members.map((_, at) =>
      at > 0
        ? []
        : complainers.map((to) => ({ place: to, share: hexOf(valueAt(polynomials[0]!, to)) })),
    ),
    place,
  })

it('keeps a dealer that answers, and passes its share to the complainer', () => {
  const { qualified, revealed } = settle([2])
  expect(qualified).toEqual([1, 2, 3, 4, 5])
  expect([...revealed]).toEqual([[1, valueAt(polynomials[0]!, 2)]])
  expect(settle([2], 3).revealed.size).toBe(0)
})

it('excludes a dealer whose answers would reveal its polynomial', () => {
  expect(settle([2, 3]).qualified).toEqual([2, 3, 4, 5])
})
