import { describe, expect, it } from 'vitest'
import { createEngine } from '../../engine.ts'
import { RegoError } from '../../errors.ts'
import { stringify } from '../../values/json.ts'
import { profileBuiltins } from '../capabilities.ts'
import { privateDataOf } from './privateData.ts'

const builtins = profileBuiltins('service')
const alice = `0x${'aB'.repeat(20)}`

type Given = {
  readonly identity?: unknown
  readonly confidential?: unknown
  readonly now?: string
  /** Without any private data. */
  readonly isPublic?: boolean
  readonly strict?: boolean
}

/** The JSON text of an expression, `undefined`, or the text of its error. */
function answerTo(expression: string, given: Given = {}): string {
  const { identity = null, confidential = {}, now = '2026-03-01', isPublic, strict } = given
  const source = `package policy\n\np := ${expression}`
  const engine = createEngine({ modules: [{ name: 'policy.rego', source }], builtins })
  const text = JSON.stringify({ identity, confidential, privacy: {} })
  try {
    const value = engine.evaluateRule('policy.p', {
      nowNs: () => BigInt(Date.parse(now)) * 1_000_000n,
      ...(isPublic === true ? {} : { privateData: privateDataOf(text) }),
      ...(strict === undefined ? {} : { strict }),
    })
    return value === undefined ? 'undefined' : stringify(value)
  } catch (error) {
    if (error instanceof RegoError) return error.text
    throw error
  }
}

const noDates = [
  ...['2023-02-29', '1900-02-29', '2000-13-01', '2000-00-10', '2000-01-00', '2000-04-31'],
  ...[
    '',
    '2000-1-1',
    ' 2000-01-01',
    '2000-01-01\n',
    '2000-01-01T00:00:00Z',
    '20000101',
    '0000-01-01',
  ],
  ...[946684800, null, [], true],
]

describe('identity', () => {
  const all = {
    status: 'approved',
    birthdate: '2000-02-29',
    expiration_date: '2026-03-01',
    address_country_code: 'CH',
    tier: [1, { deep: null }],
    nothing: null,
  }
  it.each([
    ['get("tier")', '[1,{"deep":null}]'],
    ['get("nothing")', 'null'],
    ['get("missing")', 'undefined'],
    ['get("constructor")', 'undefined'],
    ['check_approved()', 'true'],
    ['not_expired()', 'true'],
    ['address_in_countries(["DE", "CH"])', 'true'],
    ['address_in_countries({"de", "ch"})', 'true'],
    ['address_in_countries(["DE"])', 'false'],
    ['address_in_countries([])', 'false'],
    ['age_gte(26)', 'true'],
    ['age_gte(27)', 'false'],
    ['age_gte(0)', 'true'],
  ])('%s is %s', (call, expected) => {
    expect(answerTo(`service.identity.${call}`, { identity: all })).toBe(expected)
  })

  it.each(['check_approved()', 'not_expired()', 'address_in_countries(["CH"])', 'age_gte(18)'])(
    '%s without its field, an identity or private data is undefined',
    (call) => {
      const expression = `service.identity.${call}`
      expect(answerTo(expression, { identity: { other: 1 } })).toBe('undefined')
      expect(answerTo(expression)).toBe('undefined')
      expect(answerTo(expression, { isPublic: true })).toBe('undefined')
    },
  )

  // [born, day, full years on it]
  it.each([
    ['2000-02-29', '2018-02-28', 17],
    ['2000-02-29', '2018-03-01', 18],
    ['2000-02-29', '2020-02-28', 19],
    ['2000-02-29', '2020-02-29', 20],
    ['2000-03-01', '2018-02-28', 17],
    ['2000-03-01', '2018-03-01', 18],
    ['2007-12-31', '2025-12-30', 17],
    ['2007-12-31', '2025-12-31', 18],
    ['2008-01-01', '2025-12-31T23:59:59.999Z', 17],
    ['2026-03-01', '2026-03-01', 0],
    ['1900-02-28', '2026-03-01', 126],
  ])('someone born on %s is on %s %i years old', (birthdate, now, years) => {
    const is = (n: number) =>
      answerTo(`service.identity.age_gte(${n})`, { identity: { birthdate }, now })
    expect([is(years), is(years + 1)]).toEqual(['true', 'false'])
  })

  it('is valid through the day on which it expires, of UTC', () => {
    const on = (now: string) =>
      answerTo('service.identity.not_expired()', {
        identity: { expiration_date: '2026-03-01' },
        now,
      })
    expect(on('2026-03-01T23:59:59.999Z')).toBe('true')
    expect(on('2026-03-02T00:00:00Z')).toBe('false')
  })

  const malformed: readonly (readonly [call: string, field: string, values: readonly unknown[]])[] =
    [
      ['check_approved()', 'status', [7, true, null, ['approved'], {}]],
      ['address_in_countries(["CH"])', 'address_country_code', ['CHE', 'C', '', '١٢', 1, null]],
      ['age_gte(0)', 'birthdate', [...noDates, '2026-03-02']],
      ['not_expired()', 'expiration_date', noDates],
    ]
  it.each(malformed)('%s with a malformed %s is an error, in both modes', (call, field, values) => {
    for (const value of values) {
      for (const strict of [true, false]) {
        const text = answerTo(`service.identity.${call}`, { identity: { [field]: value }, strict })
        expect(text, `${value}`).toMatch(
          /^policy\.rego:3: eval_builtin_error: service\.identity\.\w+: /,
        )
        expect(text).toContain(`: ${field} of the identity is `)
      }
    }
  })

  it.each([
    'age_gte(-1)',
    'age_gte(17.5)',
    'address_in_countries(["CHE"])',
    'get(json.unmarshal("1"))',
  ])('%s is an error even without an identity', (call) => {
    for (const isPublic of [true, false]) {
      expect(answerTo(`service.identity.${call}`, { isPublic, strict: false })).toMatch(
        /^policy.rego:3: eval_(builtin|type)_error: /,
      )
    }
  })
})

describe('confidential data', () => {
  const source = (data: unknown, granted = true) => ({ granted, data })
  const list = source({ entries: [alice, alice.toLowerCase(), `0x${'00'.repeat(20)}`] })

  it.each([
    [`blacklist.contains("${alice}")`, 'true'],
    [`blacklist.contains("${alice.toUpperCase().replace('0X', '0x')}")`, 'true'],
    [`blacklist.contains("0x${'11'.repeat(20)}")`, 'false'],
    ['blacklist.count()', '2'],
    [`allowlist.contains("${alice}")`, 'true'],
    ['allowlist.count()', '2'],
  ])('%s is %s', (call, expected) => {
    const confidential = { blacklist: list, allowlist: list }
    expect(answerTo(`service.confidential.${call}`, { confidential })).toBe(expected)
  })

  it('an empty list contains nothing', () => {
    const confidential = { blacklist: source({ entries: [] }) }
    expect(answerTo('service.confidential.blacklist.count()', { confidential })).toBe('0')
  })

  it.each([
    ['get("limits", "usd")', '5'],
    ['get("limits", "none")', 'null'],
    ['get("limits", "eur")', 'undefined'],
    ['get("listed", "usd")', 'undefined'],
  ])('%s is %s', (call, expected) => {
    const confidential = { limits: source({ values: { usd: 5, none: null } }), listed: list }
    expect(answerTo(`service.confidential.${call}`, { confidential })).toBe(expected)
  })

  const unreadable: readonly (readonly [string, unknown, RegExp])[] = [
    ['absent', {}, /has no source of this data type$/],
    [
      'not granted',
      { blacklist: { granted: false, data: { entries: [alice], values: {} } } },
      /does not grant/,
    ],
    ['not published', { blacklist: { granted: true, data: null } }, /has published no data$/],
  ]
  const malformed = [{}, { entries: null }, { entries: alice }, { entries: { 0: alice } }].concat(
    [[1], ['0x12'], [alice.slice(2)], [`${alice}0`], [alice, null]].map((entries) => ({
      entries,
    })) as never,
  )
  const calls = ['blacklist.count()', `blacklist.contains("${alice}")`, 'get("blacklist", "a")']

  it.each(unreadable)(
    'that is %s ends the evaluation, in both modes',
    (_, confidential, message) => {
      for (const call of calls) {
        for (const strict of [true, false]) {
          const text = answerTo(`service.confidential.${call}`, { confidential, strict })
          expect(text).toMatch(/^policy.rego:3: eval_builtin_error: service\.confidential\./)
          expect(text).toMatch(message)
        }
      }
    },
  )

  it.each(malformed)('a list that is %j ends the evaluation', (data) => {
    for (const call of calls.slice(0, 2)) {
      expect(
        answerTo(`service.confidential.${call}`, {
          confidential: { blacklist: source(data) },
        }),
      ).toMatch(/`entries` of the data is not an array of addresses$/)
    }
  })

  it('values that are no object end the evaluation', () => {
    for (const values of [null, [], 'a', 1]) {
      expect(
        answerTo('service.confidential.get("t", "a")', { confidential: { t: source({ values }) } }),
      ).toMatch(/`values` of the data is not an object$/)
    }
  })

  it('without private data every call ends the evaluation', () => {
    for (const call of calls) {
      expect(answerTo(`service.confidential.${call}`, { isPublic: true })).toMatch(
        /this evaluation has no confidential data; in tests, replace the call by `with`$/,
      )
    }
  })

  it.each(['""', '"0x12"', `"${alice.slice(2)}"`, `"0X${alice.slice(2)}"`])(
    'contains(%s) is an error: no list has such an entry',
    (operand) => {
      const confidential = { blacklist: list }
      expect(
        answerTo(`service.confidential.blacklist.contains(${operand})`, { confidential }),
      ).toMatch(/eval_builtin_error/)
    },
  )

  it('an error is not hidden by not, a comprehension or a default', () => {
    for (const rule of [
      `default p := false\n\np if not service.confidential.blacklist.contains("${alice}")`,
      `p := [1 | not service.confidential.blacklist.contains("${alice}")]`,
      'p := 1 if service.confidential.blacklist.count() > 1\n\nelse := 2',
    ]) {
      const engine = createEngine({
        modules: [{ name: 'policy.rego', source: `package policy\n\n${rule}` }],
        builtins,
        strict: false,
      })
      expect(() => engine.evaluateRule('policy.p')).toThrow('no confidential data')
    }
  })
})

describe('the document', () => {
  it.each([
    '',
    '[]',
    '{}',
    '{"identity":1,"confidential":{},"privacy":{}}',
    '{"identity":null,"confidential":[],"privacy":{}}',
    '{"identity":null,"confidential":{"a":{"granted":1,"data":{}}},"privacy":{}}',
    '{"identity":null,"confidential":{"a":{"granted":true}},"privacy":{}}',
    '{"identity":null,"confidential":{"a":{"granted":true,"data":[]}},"privacy":{}}',
    '{"identity":null,"confidential":{}}',
    '{"identity":null,"confidential":{},"privacy":null}',
    'MARK',
  ])('%s is refused with a constant text', (text) => {
    expect(() => privateDataOf(text)).toThrow(/^the private data of the evaluation is malformed$/)
  })
})
