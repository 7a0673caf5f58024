import { describe, expect, it } from 'vitest'
import { isCompatible, requireCompatible } from './versions.ts'

describe('decision C14', () => {
  it.each<[string, string, boolean]>([
    ['1.2.0', '1.2.0', true],
    ['1.2.9', '1.2.0', true],
    ['1.3.0', '1.2.5', true],
    ['1.2.0', '1.2.5', true],
    ['1.1.9', '1.2.0', false],
    ['2.2.0', '1.2.0', false],
    ['0.2.0', '1.2.0', false],
    ['', '0.1.0', false],
    ['one', '0.1.0', false],
    ['1.2.0-rc.1', '1.2.0', false],
    ['1.2.1-rc.1', '1.2.0', false],
    ['1.3.0-0', '1.2.0', false],
    ['1.2.0-rc.1+build.7', '1.2.0', false],
    ['2.0.0-rc.1', '1.2.0', false],
    ['1.2.0-rc.1', '1.2.0-rc.1', true],
    ['1.2.0-rc.2', '1.2.0-rc.1', true],
    ['1.2.0-beta', '1.2.0-rc.1', false],
    ['1.2.1-rc.2', '1.2.0-rc.1', false],
    ['1.2.0', '1.2.0-rc.1', true],
    ['1.2.0+build.7', '1.2.0', true],
    ['1.2.0+rc.1', '1.2.0', true],
    ['1.1.9+build.7', '1.2.0', false],
    ...[
      'v1.2.0',
      '=1.2.0',
      ' 1.2.0',
      '1.2.0\n',
      '1.2',
      '1',
      '1.2.0.0',
      '01.2.0',
      '1.2.x',
      '^1.2.0',
      '1.2.0-',
      '1.2.0-01',
      '1.2.0+',
    ].map((found): [string, string, boolean] => [found, '1.2.0', false]),
    ['1.9007199254740991.0', '1.2.0', true],
    ['1.9007199254740992.0', '1.2.0', false],
    [`1.2.0-${'9'.repeat(300)}`, '1.2.0', false],
    [`1.${'9'.repeat(1000)}.0`, '1.2.0', false],
    ['1.2.0', 'v1.2.0', false],
  ])('%j with a minimum of %s: %s', (found, minimum, expected) => {
    expect(isCompatible(found, minimum)).toBe(expected)
  })

  it('truncates the version of a contract', () => {
    const check = () =>
      requireCompatible(
        { policy: '9'.repeat(100_000), policyData: [] },
        { policy: '1.0.0', policyData: '1.0.0' },
      )
    expect(check).toThrow(`version: ${'9'.repeat(64)}... is not compatible with 1.0.0`)
  })

  it('distinguishes policy and policy data by code', () => {
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
