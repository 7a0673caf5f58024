import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toJson } from '../values/json.ts'
import { call, callWith, testContext } from './builtinCalls.fixture.ts'

const NOON = 1_582_977_600_123_456_789n // 2020-02-29T12:00:00.123456789Z

describe('times', () => {
  it.each<[string, unknown[], unknown]>([
    ['time.date', [NOON], [2020, 2, 29]],
    ['time.clock', [[NOON, 'America/New_York']], [7, 0, 0]],
    ['time.clock', [[NOON, 'Asia/Kolkata']], [17, 30, 0]],
    ['time.weekday', [[NOON, 'Pacific/Kiritimati']], 'Sunday'],
    ['time.date', [-1], [1969, 12, 31]],
    ['time.format', [NOON], '2020-02-29T12:00:00.123456789Z'],
    ['time.format', [[NOON, 'Europe/Paris', 'RFC1123Z']], 'Sat, 29 Feb 2020 13:00:00 +0100'],
    ['time.format', [[NOON, 'America/New_York', 'RFC822']], '29 Feb 20 07:00 EST'],
    ['time.format', [[NOON, 'Europe/Berlin', 'MST']], 'CET'],
    ['time.format', [[NOON, 'Australia/Sydney', 'MST']], 'AEDT'],
    ['time.format', [[NOON, 'America/Sao_Paulo', 'MST']], '-03'],
    ['time.format', [[NOON, 'Asia/Tokyo', 'MST']], 'JST'],
    ['time.format', [[NOON, 'Asia/Dubai', 'MST']], '+04'],
    ['time.format', [[NOON, 'GMT', 'MST']], 'GMT'],
    [
      'time.format',
      [[NOON, 'UTC', '_2 Jan 06 3:04:05.000PM Z07:00 002 __2 2006_']],
      '29 Feb 20 12:00:00.123PM Z 060  60 2020_',
    ],
    ['time.format', [[NOON, '', '2006-01-02.99,000000']], '2020-02-29.12,123456'],
    ['time.add_date', [NOON, 1, 0, 0], 1_614_600_000_123_456_789n],
    ['time.add_date', [[NOON, 'Europe/Paris'], 0, 1, 0], 1_585_479_600_123_456_789n],
    ['time.add_date', [0, 0, -1, 0], -2_678_400_000_000_000],
    ['time.add_date', [0, 2_000_000_000, 0, 0], undefined],
    ['time.add_date', [0, 0, 1_000_000_000, 0], undefined],
    ['time.diff', [0, NOON], [50, 1, 28, 12, 0, 0]],
    ['time.parse_rfc3339_ns', ['2020-02-29T13:00:00.123456789+01:00'], NOON],
    ['time.parse_ns', ['RFC1123', 'Sat, 29 Feb 2020 12:00:00 GMT'], 1_582_977_600_000_000_000n],
    ['time.parse_ns', ['Jan _2 06 03:04PM', 'feb  9 99 01:02AM'], 918_522_120_000_000_000n],
    ['time.parse_ns', ['2006-002', '2020-060'], 1_582_934_400_000_000_000n],
    ['time.parse_ns', ['15:04:05 2006', '01:02:03.5 1970'], 3_723_500_000_000],
    ['time.parse_duration_ns', ['-1h2.5m3µs'], -3_750_000_003_000],
    ['time.parse_duration_ns', ['.5s'], 500_000_000],
    ['time.now_ns', [], 1_700_000_000_000_000_000n],
  ])('%s (%#)', (name, args, result) => {
    expect(call(name, ...args)).toEqual(result)
  })

  it.each<[string, unknown[], string]>([
    ['time.date', [2n ** 63n], 'timestamp too big'],
    ['time.date', [1.5], 'timestamp too big'],
    [
      'time.date',
      ['x'],
      'operand 1 must be either number (ns) or [number (ns), string (tz)] but got string',
    ],
    ['time.clock', [[0, 'Nowhere/Land']], 'unknown time zone Nowhere/Land'],
    ['time.clock', [[0, 'europe/paris']], 'unknown time zone europe/paris'],
    ['time.clock', [[0, '+01:00']], 'unknown time zone +01:00'],
    ['time.add_date', [NOON, 1000, 0, 0], 'time outside of valid range'],
    ['time.add_date', [NOON, 0, 0, 1e12], 'time outside of valid range'],
    ['time.parse_rfc3339_ns', ['1600-01-01T00:00:00Z'], 'time outside of valid range'],
    ['time.parse_rfc3339_ns', ['2021-02-29T00:00:00Z'], 'day out of range'],
    ['time.parse_rfc3339_ns', ['2021-13-01T00:00:00Z'], 'value out of range'],
    ['time.parse_rfc3339_ns', ['2021-01-01'], 'cannot parse "" as "T"'],
    ['time.parse_rfc3339_ns', ['2021-01-01T00:00:00Zx'], 'extra text: "x"'],
    ['time.parse_duration_ns', ['1'], 'missing unit in duration "1"'],
    ['time.parse_duration_ns', ['1d'], 'unknown unit "d" in duration'],
    ['time.parse_duration_ns', ['3000000h'], 'invalid duration'],
  ])('%s refuses (%#)', (name, args, message) => {
    expect(() => call(name, ...args)).toThrow(message)
  })

  it('agree with the calendar of the platform', () => {
    const moment = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    fc.assert(
      fc.property(moment, (ns) => {
        const ms = Number(ns >= 0n ? ns / 1_000_000n : -((-ns + 999_999n) / 1_000_000n))
        const at = new Date(ms)
        expect(call('time.date', ns)).toEqual([
          at.getUTCFullYear(),
          at.getUTCMonth() + 1,
          at.getUTCDate(),
        ])
        expect(call('time.clock', ns)).toEqual([
          at.getUTCHours(),
          at.getUTCMinutes(),
          at.getUTCSeconds(),
        ])
        expect(BigInt(call('time.parse_rfc3339_ns', call('time.format', ns)) as number)).toBe(ns)
      }),
    )
  })

  it('use only the clock of the evaluation', () => {
    const ctx = testContext({ nowNs: 5n })
    expect(callWith(ctx, 'time.now_ns')).toBe(5)
  })
})

describe('units, versions and UUIDs', () => {
  it.each<[string, unknown[], unknown]>([
    ['units.parse', ['"1.5Ki"'], 1536],
    ['units.parse', ['250m'], 0.25],
    ['units.parse', ['2M'], 2_000_000],
    ['units.parse', ['1e-3K'], 1],
    ['units.parse', ['10E'], 10n ** 19n],
    ['units.parse', ['1x'], undefined],
    ['units.parse_bytes', ['1.5kib'], 1536],
    ['units.parse_bytes', ['0.9'], 0],
    ['semver.compare', ['1.2.3-alpha.9', '1.2.3-alpha.10'], -1],
    ['semver.is_valid', ['v1.2.3'], false],
    ['semver.is_valid', ['1.2.3+b'], true],
    ['uuid.parse', ['not one'], undefined],
  ])('%s (%#)', (name, args, result) => {
    expect(call(name, ...args)).toEqual(result)
  })

  it('reject invalid amounts', () => {
    expect(() => call('units.parse', '1 K')).toThrow('spaces not allowed')
    expect(() => call('units.parse', 'K')).toThrow('no amount provided')
    expect(() => call('units.parse', '1.2.3K')).toThrow('could not parse amount')
    expect(() => call('units.parse', '1e999999')).toThrow('could not parse amount')
    expect(() => call('units.parse_bytes', '1x')).toThrow('unit x not recognized')
    expect(() => call('semver.compare', '1.2.3', '1.2')).toThrow(
      'operand 2: string "1.2" is not a valid SemVer',
    )
  })

  it('a UUID of 38 bytes, whatever is the first and the last', () => {
    const id = '00000000-0000-4000-8000-000000000000'
    for (const text of [`{${id}}`, `(${id}]`, `\n${id}x`]) {
      expect(toJson(call('uuid.parse', text)!)).toEqual({ version: 4, variant: 'RFC4122' })
    }
    for (const text of [`é${id}`, `é${id}x`]) expect(call('uuid.parse', text)).toBeUndefined()
  })

  it('generate a UUID per key, constant within an evaluation', () => {
    const ctx = testContext()
    const made = callWith(ctx, 'uuid.rfc4122', 'k')
    expect(made).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(callWith(ctx, 'uuid.rfc4122', 'k')).toBe(made)
    expect(callWith(ctx, 'uuid.rfc4122', 'l')).not.toBe(made)
  })
})
