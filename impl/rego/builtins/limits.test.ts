import { describe, expect, it } from 'vitest'
import { BuiltinError, LimitError, RegoError } from '../errors.ts'
import { budget } from '../values/limits.ts'
import type { Value } from '../values/value.ts'
import { callWith, set, testContext } from './builtinCalls.fixture.ts'
import { builtins } from './registry.ts'

/** A budget with a deadline, as evaluations have. */
function tight() {
  const rest = budget({ units: 5e6, bytes: 1e8 })
  const deadline = performance.now() + 500
  const charge = (units: number): void => {
    rest.charge(units)
    if (performance.now() > deadline) throw new LimitError('execution exceeded time limit')
  }
  return testContext({ meter: { charge, allocate: rest.allocate } })
}

const long = 'a'.repeat(200_000)

function nested(levels: number): Value {
  let value: Value = 1
  for (let i = 0; i < levels; i++) value = [value]
  return value
}

describe('expensive operations end in an error', () => {
  it.each<[string, unknown[]]>([
    ['numbers.range', [1, 1e12]],
    ['numbers.range_step', [1, 10n ** 40n, 1]],
    ['bits.lsh', [1, 1e12]],
    ['bits.lsh', [1, 10n ** 30n]],
    ['mul', [10n ** 4000n, 10n ** 4000n]],
    ['product', [Array.from({ length: 2_000 }, () => 10n ** 100n)]],
    ['sprintf', ['%1000000d'.repeat(1_000), Array.from({ length: 1_000 }, () => 1)]],
    ['sprintf', ['%.1000000f'.repeat(1_000), Array.from({ length: 1_000 }, () => 0.5)]],
    ['concat', [long, Array.from({ length: 10_000 }, () => '')]],
    ['replace', [long, 'a', long]],
    ['replace', [long, '', long]],
    ['strings.replace_n', [{ a: long }, long]],
    ['strings.replace_n', [{ [`${long}b`]: '' }, `${long}${long}`]],
    ['regex.replace', [long, 'a', long]],
    ['regex.match', [`(${'a?'.repeat(5_000)})`, long]],
    ['regex.find_n', ['a*b|a', long, -1]],
    ['net.cidr_expand', ['10.0.0.0/1']],
    ['net.cidr_expand', ['::/0']],
    ['json.marshal', [Array.from({ length: 1_000 }, () => long)]],
    ['yaml.unmarshal', [long.repeat(10)]],
    ['urlquery.encode', [long.repeat(500)]],
    ['base64.encode', [long.repeat(500)]],
    ['object.union_n', [Array.from({ length: 3_000 }, (_, i) => ({ [`k${i}`]: 1 }))]],
    ['json.unmarshal', ['1e1000000']],
    ['units.parse', ['1e1000000']],
    ['graphql.parse_query', [`{${'a '.repeat(400_000)}}`]],
  ])('%s (%#)', (name, args) => {
    const start = performance.now()
    expect(() => callWith(tight(), name, ...args)).toThrow(
      expect.toSatisfy(
        (error: unknown) => error instanceof RegoError || error instanceof BuiltinError,
      ),
    )
    expect(performance.now() - start).toBeLessThan(2_000)
  })

  it('searches for long texts take linear time', () => {
    const part = `${'a'.repeat(100_000)}b${'a'.repeat(100_000)}`
    const text = 'a'.repeat(1_000_000)
    const start = performance.now()
    expect(callWith(testContext(), 'contains', text, part)).toBe(false)
    expect(callWith(testContext(), 'replace', text, part, 'x')).toBe(text)
    expect(callWith(testContext(), 'strings.count', text, part)).toBe(0)
    expect(performance.now() - start).toBeLessThan(2_000)
  })

  it('every built-in rejects deeply nested values, or does not traverse them', () => {
    const deep = nested(20_000)
    for (const { name, args, call } of builtins.values()) {
      try {
        call(tight(), ...args.map(() => deep))
      } catch (error) {
        const known = error instanceof RegoError || error instanceof BuiltinError
        expect(known, `${name}: ${error instanceof Error ? error.stack : String(error)}`).toBe(true)
      }
    }
  })

  it('every built-in accepts every kind of operand, or fails with a Rego error', () => {
    const kinds: unknown[] = [
      null,
      true,
      -1,
      2,
      0.5,
      2n ** 70n,
      '',
      'a',
      '{"a": 1}',
      '-----BEGIN',
      [],
      ['a'],
      [[]],
      [1, 'UTC'],
      {},
      { a: 'b' },
      { op: 1, path: {} },
      set(),
      set('a'),
      set(set(1)),
      set([]),
    ]
    for (const { name, args, call } of builtins.values()) {
      // The operands repeat after as many calls as there are kinds.
      for (let i = 0; i < kinds.length; i++) {
        const operands = args.map((_, n) => kinds[(i * (n + 3) + n * 7) % kinds.length])
        try {
          callWith(tight(), name, ...operands)
          call(tight(), ...args.map(() => null))
        } catch (error) {
          if (error instanceof RegoError || error instanceof BuiltinError) continue
          throw new Error(`${name} fails with another error`, { cause: error })
        }
      }
    }
  })
})
