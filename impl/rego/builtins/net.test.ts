import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { call, set } from './builtinCalls.fixture.ts'
import { formatAddress, parseAddress } from './net/cidr.ts'

describe('networks', () => {
  it.each<[string, unknown[], unknown]>([
    ['net.cidr_contains', ['10.0.0.0/8', '10.255.0.1'], true],
    ['net.cidr_contains', ['10.0.0.0/8', '10.0.0.0/7'], false],
    ['net.cidr_contains', ['::/0', '10.0.0.1'], false],
    ['net.cidr_contains', ['fe80::/10', 'FE80::1'], true],
    ['net.cidr_intersects', ['10.0.0.0/7', '11.0.0.0/8'], true],
    ['net.cidr_is_valid', ['10.0.0.1/33'], false],
    ['net.cidr_is_valid', ['10.0.0.01/8'], false],
    ['net.cidr_is_valid', ['::ffff/128'], true],
    ['net.cidr_is_valid', [1], false],
    ['net.cidr_expand', ['10.0.0.7/30'], set('10.0.0.4', '10.0.0.5', '10.0.0.6', '10.0.0.7')],
    ['net.cidr_expand', ['2001:db8::/127'], set('2001:db8::', '2001:db8::1')],
    [
      'net.cidr_merge',
      [['10.0.0.0/25', '10.0.0.128/25', '10.0.2.0/24', 'fe80::/64']],
      set('10.0.0.0/24', '10.0.2.0/24', 'fe80::/64'),
    ],
    ['net.cidr_merge', [['10.0.0.1/32', '10.0.0.2/31']], set('10.0.0.1/32', '10.0.0.2/31')],
    [
      'net.cidr_contains_matches',
      [{ a: '10.0.0.0/8' }, ['10.1.1.1', ['11.0.0.0/8', 'x']]],
      set(['a', 0]),
    ],
  ])('%s (%#)', (name, args, result) => {
    expect(call(name, ...args)).toEqual(result)
  })

  it('reject invalid addresses', () => {
    expect(() => call('net.cidr_contains', '10.0.0.0', '10.0.0.1')).toThrow(
      'invalid CIDR address: 10.0.0.0',
    )
    expect(() => call('net.cidr_contains', '10.0.0.0/8', '10.0.0')).toThrow(
      'not a valid textual representation',
    )
    expect(() => call('net.cidr_merge', ['fe80::1'])).toThrow('IPv6 invalid: needs prefix length')
    expect(() => call('net.cidr_contains_matches', '10.0.0.0/8', [1])).toThrow(
      'operand 2: element must be string',
    )
    expect(() => call('net.cidr_expand', '10.0.0.0/1')).toThrow('evaluation used up')
    expect(() => call('net.cidr_expand', '::/0')).toThrow()
  })

  it.each([
    ['net.lookup_ip_addr', 'localhost'],
    ['http.send', { method: 'get', url: 'http://localhost' }],
  ])('%s is an error, not undefined (decision R12)', (name, argument) => {
    expect(() => call(name, argument)).toThrow('there is no network access')
  })

  it('round-trip addresses', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const address = parseAddress(text)
        if (address === undefined) expect(text).toMatch(/%|\.\d+$/)
        else expect(parseAddress(formatAddress(address))).toEqual(address)
      }),
    )
  })
})
