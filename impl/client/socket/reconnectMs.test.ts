import { describe, expect, it } from 'vitest'
import { reconnectMs } from './reconnectMs.ts'

describe('reconnectMs', () => {
  it.each([
    [1, undefined, 200],
    [1, 3_000, 3_000],
    [9, 10, 5_000],
    [1, 86_400_000, 60_000],
    [1, 99_999_999_000, 60_000],
  ])('after failure %j, asked for %j, is %j', (failures, asked, expected) => {
    expect(reconnectMs(failures, asked, 1)).toBe(expected)
  })
})
