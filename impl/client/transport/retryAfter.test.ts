import fc from 'fast-check'
import { property } from 'polgate-lib/testing/property.ts'
import { describe, expect, it } from 'vitest'
import { retryAfterMs } from './retryAfter.ts'

describe('retryAfterMs', () => {
  it.each([
    ['0', 0],
    ['3', 3_000],
    [' 120 ', 120_000],
    ['Thu, 01 Jan 1970 00:00:10 GMT', 9_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['1970-01-01', undefined],
    ['99999999999', undefined],
    ['', undefined],
    [null, undefined],
  ])('reads %j as %j', (header, expected) => {
    expect(retryAfterMs(header, 1_000)).toBe(expected)
  })

  property([fc.string()])('is a wait or nothing for any text', (text) => {
    const wait = retryAfterMs(text)
    expect(wait === undefined || wait >= 0).toBe(true)
  })
})
