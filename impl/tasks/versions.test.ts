import { describe, expect, it } from 'vitest'
import { isCompatible, requireCompatible } from './versions.ts'

describe('decision C14', () => {
  it.each([
    ['1.2.0', '1.2.0', true],
    ['1.2.9', '1.2.0', true],
    ['1.3.0', '1.2.5', true],
    ['1.2.0', '1.2.5', true],
    ['1.1.9', '1.2.0', false],
    ['2.2.0', '1.2.0', false],
    ['0.2.0', '1.2.0', false],
    ['', '0.1.0', false],
    ['one', '0.1.0', false],
  ])('%s with a minimum of %s: %s', (found, minimum, expected) => {
    expect(isCompatible(found, minimum)).toBe(expected)
  })

  it('tells policy and policy data apart by code', () => {
    const minimum = { policy: '1.0.0', policyData: '1.0.0' }
    const source = { address: '0x01', version: '1.0.0' }
    expect(() =>
      requireCompatible({ policy: '1.0.0', policyData: [source] }, minimum),
    ).not.toThrow()
    expect(() => requireCompatible({ policy: '2.0.0', policyData: [source] }, minimum)).toThrow(
      expect.objectContaining({ code: -32618 }),
    )
    expect(() =>
      requireCompatible({ policyData: [source, { address: '0x02', version: '0.9.0' }] }, minimum),
    ).toThrow(expect.objectContaining({ code: -32619, message: expect.stringContaining('0x02') }))
  })
})
