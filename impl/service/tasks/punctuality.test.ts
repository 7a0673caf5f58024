import { beforeEach, describe, expect, it } from 'vitest'
import { createPunctuality, type Punctuality } from './punctuality.ts'

let now: number
let punctuality: Punctuality
beforeEach(() => {
  now = 1_000_000
  punctuality = createPunctuality({ clock: () => now })
})

describe('an operator', () => {
  it('is slow after it was late twice in a row', () => {
    punctuality.note([], ['0x01'])
    expect(punctuality.isTardy('0x01')).toBe(false)
    punctuality.note(['0x01'], [])
    punctuality.note([], ['0x01'])
    expect(punctuality.isTardy('0x01')).toBe(false)
    punctuality.note([], ['0x01'])
    expect(punctuality.isTardy('0x01')).toBe(true)
    expect(punctuality.isTardy('0x02')).toBe(false)
  })

  it('is not slow any more after it was in time', () => {
    punctuality.note([], ['0x01'])
    punctuality.note([], ['0x01'])
    punctuality.note(['0x01'], [])
    expect(punctuality.isTardy('0x01')).toBe(false)
  })

  it('is waited for again after half a minute, once', () => {
    punctuality.note([], ['0x01'])
    punctuality.note([], ['0x01'])
    now += 29_999
    punctuality.note([], ['0x01'])
    expect(punctuality.isTardy('0x01')).toBe(true)
    now += 1
    expect(punctuality.isTardy('0x01')).toBe(false)
    punctuality.note([], ['0x01'])
    expect(punctuality.isTardy('0x01')).toBe(true)
  })
})
