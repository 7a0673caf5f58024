import { describe, expect, it } from 'vitest'
import { createSignedResponses } from './signedResponses.ts'

const bytes = (digit: string) => `0x${digit.repeat(64)}` as const

describe('what an operator has signed', () => {
  it('is one response a task, as often as it is asked for', () => {
    const responses = createSignedResponses()
    expect(responses.admit(bytes('a'), bytes('1'))).toBe(true)
    expect(responses.admit(bytes('a'), bytes('1'))).toBe(true)
    expect(responses.admit(bytes('A'), bytes('2'))).toBe(false)
    expect(responses.admit(bytes('b'), bytes('2'))).toBe(true)
    expect(responses.admit(bytes('a'), bytes('1'))).toBe(true)
  })

  it('is forgotten from the oldest on', () => {
    const responses = createSignedResponses(2)
    for (const task of ['a', 'b', 'c']) responses.admit(bytes(task), bytes('1'))
    expect(responses.admit(bytes('c'), bytes('2'))).toBe(false)
    expect(responses.admit(bytes('b'), bytes('2'))).toBe(false)
    expect(responses.admit(bytes('a'), bytes('2'))).toBe(true)
  })
})
