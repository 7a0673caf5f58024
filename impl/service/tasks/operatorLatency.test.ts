import { beforeEach, describe, expect, it } from 'vitest'
import { createOperatorLatency, type OperatorLatency } from './operatorLatency.ts'

let now: number
let operatorLatency: OperatorLatency
beforeEach(() => {
  now = 1_000_000
  operatorLatency = createOperatorLatency({ clock: () => now })
})

describe('an operator', () => {
  it('is slow after it was late twice in a row', () => {
    operatorLatency.note([], ['0x01'])
    expect(operatorLatency.isSlow('0x01')).toBe(false)
    operatorLatency.note(['0x01'], [])
    operatorLatency.note([], ['0x01'])
    expect(operatorLatency.isSlow('0x01')).toBe(false)
    operatorLatency.note([], ['0x01'])
    expect(operatorLatency.isSlow('0x01')).toBe(true)
    expect(operatorLatency.isSlow('0x02')).toBe(false)
  })

  it('is not slow any more after it was in time', () => {
    operatorLatency.note([], ['0x01'])
    operatorLatency.note([], ['0x01'])
    operatorLatency.note(['0x01'], [])
    expect(operatorLatency.isSlow('0x01')).toBe(false)
  })

  it('is waited for again after half a minute, once', () => {
    operatorLatency.note([], ['0x01'])
    operatorLatency.note([], ['0x01'])
    now += 29_999
    operatorLatency.note([], ['0x01'])
    expect(operatorLatency.isSlow('0x01')).toBe(true)
    now += 1
    expect(operatorLatency.isSlow('0x01')).toBe(false)
    operatorLatency.note([], ['0x01'])
    expect(operatorLatency.isSlow('0x01')).toBe(true)
  })
})
