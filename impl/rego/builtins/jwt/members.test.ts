import { expect, test } from 'vitest'
import { callWith, testContext } from '../builtinCalls.fixture.ts'

const key = { kty: 'oct', k: 'AyM1' }
const sign = (header: object, members: object) => () =>
  callWith(
    testContext(),
    'io.jwt.encode_sign',
    { alg: 'HS256', ...header },
    {},
    { ...key, ...members },
  )

/** As in OPA 1.2. */
test.each([
  ...[{ kid: 3 }, { typ: 3 }, { cty: 3 }, { jwk: {} }, { jku: 1 }, { crit: 3 }, { crit: [3] }],
  { privateParams: 3 },
])('a header with %j signs nothing', (header) => {
  expect(sign(header, {})).toThrow(/^failed to parse the JWS header: invalid \w+$/)
})

test.each([
  ...[{ k: {} }, { k: 3 }, { k: 'Ay M1' }, { k: 'AyM1==' }, { k: '+/+/' }, { k: 'AyM1A' }],
  ...[{ kid: 3 }, { use: 3 }, { crv: 3 }, { n: '+' }, { key_ops: 3 }, { key_ops: ['x'] }],
])('a key with %j signs nothing', (members) => {
  expect(sign({}, members)).toThrow(/^failed to parse a JWK key: invalid \w+$/)
})

test('null stands for a member that is not given, and others are not looked at', () => {
  const nothing = { crit: null, kid: null }
  expect(sign({ ...nothing, other: 3 }, { kid: null, key_ops: ['sign'], x5c: 3 })()).toBe(
    sign({ ...nothing, other: 3 }, {})(),
  )
  expect(sign({}, { k: 'AyM\n1' })()).toBe(sign({}, {})())
})
