import { expect, it } from 'vitest'
import { codeLifeMs, oneTimeCodes } from './oneTimeCodes.ts'

it('a code works once, within its time, and no other text does', () => {
  let now = 0
  const codes = oneTimeCodes(() => now)
  expect([codes.use(''), codes.use('undefined')]).toEqual([false, false])
  const [first, second, late] = [codes.create(), codes.create(), codes.create()]
  expect(new Set([first, second, late]).size).toBe(3)
  expect([codes.use(`${first}x`), codes.use(first), codes.use(first)]).toEqual([false, true, false])
  now = codeLifeMs - 1
  expect(codes.use(second)).toBe(true)
  now = codeLifeMs
  expect(codes.use(late)).toBe(false)
})

it('the oldest codes are dropped when many are asked for', () => {
  const codes = oneTimeCodes()
  const made = Array.from({ length: 20 }, () => codes.create())
  expect(made.filter(codes.use)).toEqual(made.slice(-8))
})
