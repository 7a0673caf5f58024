import { generateKeyPairSync } from 'node:crypto'
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

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const [known, signing] = [publicKey, privateKey].map((each) => each.export({ format: 'jwk' }))
const token = callWith(testContext(), 'io.jwt.encode_sign', { alg: 'ES256' }, {}, signing)
const verify = (...keys: readonly object[]) =>
  callWith(
    testContext(),
    'io.jwt.verify_es256',
    token,
    JSON.stringify(keys.length === 1 ? keys[0] : { keys }),
  )

test.each([
  ...[{ kid: 3 }, { use: 3 }, { key_ops: 3 }, { key_ops: ['x'] }, { d: '+' }, { k: '+' }],
  { x: `${known?.x}=` },
])('a key with %j verifies nothing, alone or beside others', (members) => {
  for (const keys of [[{ ...known, ...members }], [{ ...known }, { ...known, ...members }]]) {
    expect(() => verify(...keys)).toThrow(/^failed to parse a JWK key \(set\): invalid \w+$/)
  }
})

test('an algorithm that is not a string is that of no token', () => {
  expect(verify({ ...known })).toBe(true)
  expect(verify({ ...known, alg: 'ES256', kid: null, other: 3 })).toBe(true)
  for (const alg of ['ES384', 3, {}]) expect(verify({ ...known, alg })).toBe(false)
})
