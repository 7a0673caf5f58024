import { createHmac, generateKeyPairSync, type JsonWebKey, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { toJson } from '../values/json.ts'
import { call, callWith, testContext, value } from './builtinCalls.fixture.ts'

const part = (data: unknown): string => Buffer.from(JSON.stringify(data)).toString('base64url')

function hs256(payload: unknown, header: object = { alg: 'HS256', typ: 'JWT' }): string {
  const signed = `${part(header)}.${part(payload)}`
  return `${signed}.${createHmac('sha256', 'secret').update(signed).digest('base64url')}`
}

const keys = {
  RS: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ES512: generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  EdDSA: generateKeyPairSync('ed25519'),
}

const wrong = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey

const pairOf = (alg: string) => keys[alg as keyof typeof keys] ?? keys.RS

describe('tokens', () => {
  it.each([
    'RS256',
    'RS384',
    'RS512',
    'PS256',
    'PS384',
    'PS512',
    'ES256',
    'ES384',
    'ES512',
    'EdDSA',
  ])('of %s are signed and verified, the same each time', (alg) => {
    const pair = pairOf(alg)
    const jwk: JsonWebKey = pair.privateKey.export({ format: 'jwk' })
    const pem = pair.publicKey.export({ format: 'pem', type: 'spki' }).toString()
    const token = call('io.jwt.encode_sign', { alg, typ: 'JWT' }, { sub: 'x' }, jwk)
    expect(call('io.jwt.encode_sign', { alg, typ: 'JWT' }, { sub: 'x' }, jwk)).toBe(token)
    const name = `io.jwt.verify_${alg.toLowerCase()}`
    expect(call(name, token, pem)).toBe(true)
    const set = { keys: [{ ...pair.publicKey.export({ format: 'jwk' }), alg, kid: 'k' }] }
    expect(call(name, token, JSON.stringify(set))).toBe(true)
    const other = `${String(token).slice(0, -8)}AAAAAAAA`
    expect(call(name, other, pem)).toBe(false)
    expect(call(name, token, wrong.export({ format: 'pem', type: 'spki' }).toString())).toBe(false)
    expect(toJson(call('io.jwt.decode_verify', token, { cert: pem, alg }) ?? null)).toEqual([
      true,
      { alg, typ: 'JWT' },
      { sub: 'x' },
    ])
  })

  it('of PS256 are valid for the platform', () => {
    const token = String(
      call(
        'io.jwt.encode_sign',
        { alg: 'PS256' },
        {},
        keys.RS.privateKey.export({ format: 'jwk' }),
      ),
    )
    const [header, payload, signature = ''] = token.split('.')
    const options = { key: keys.RS.publicKey, padding: 6, saltLength: 32 }
    const data = Buffer.from(`${header}.${payload}`)
    expect(verify('sha256', data, options, Buffer.from(signature, 'base64url'))).toBe(true)
  })

  it('are decoded, including nested ones', () => {
    const inner = hs256({ a: 1 })
    const outer = hs256(inner, { alg: 'HS256', cty: 'JWT' })
    expect(call('io.jwt.decode', outer)).toEqual(call('io.jwt.decode', inner))
    expect(toJson(call('io.jwt.decode_verify', outer, { secret: 'secret' }) ?? null)).toMatchObject(
      [true, {}, { a: 1 }],
    )
  })

  it.each<[object, object, boolean]>([
    [{ iss: 'a' }, { iss: 'a' }, true],
    [{ iss: 'a' }, { iss: 'b' }, false],
    [{ aud: ['a', 'b'] }, { aud: 'b' }, true],
    [{ aud: 'a' }, {}, false],
    [{}, { aud: 'a' }, false],
    [{ exp: 1_700_000_001 }, {}, true],
    [{ exp: 1_700_000_000 }, {}, false],
    [{ nbf: 1_700_000_001 }, {}, false],
    [{ exp: 5, nbf: 4 }, { time: 4_500_000_000 }, true],
    [{}, { alg: 'HS512' }, false],
  ])('claims %j under %j', (claims, constraints, valid) => {
    const answer = call('io.jwt.decode_verify', hs256(claims), { secret: 'secret', ...constraints })
    expect(toJson(answer ?? null)).toEqual(
      valid ? [true, { alg: 'HS256', typ: 'JWT' }, claims] : [false, {}, {}],
    )
  })

  it('never use a public key as a secret, nor accept a missing signature', () => {
    const pem = keys.RS.publicKey.export({ format: 'pem', type: 'spki' }).toString()
    const signed = `${part({ alg: 'HS256' })}.${part({})}`
    const forged = `${signed}.${createHmac('sha256', pem).update(signed).digest('base64url')}`
    expect(toJson(call('io.jwt.decode_verify', forged, { cert: pem }) ?? null)).toEqual([
      false,
      {},
      {},
    ])
    const none = `${part({ alg: 'none' })}.${part({})}.`
    expect(() => call('io.jwt.decode_verify', none, { secret: 'x' })).toThrow(
      'unknown JWS algorithm: none',
    )
    expect(
      toJson(
        call('io.jwt.decode_verify', hs256({}, { alg: 'HS256', crit: ['x'] }), {
          secret: 'secret',
        }) ?? null,
      ),
    ).toEqual([false, {}, {}])
  })

  it('reject invalid tokens and keys', () => {
    const bad: [string, string, unknown[]][] = [
      ['encoded JWT had no period separators', 'io.jwt.decode', ['abc']],
      ['encoded JWT must have 3 sections, found 2', 'io.jwt.decode', ['a.b']],
      [
        'JWT header had invalid encoding: illegal base64 data at input byte 1',
        'io.jwt.decode',
        ['a!bc.b.c'],
      ],
      [
        'unknown token validation constraint: x',
        'io.jwt.decode_verify',
        [hs256({}), { x: 1, secret: 'a' }],
      ],
      ['no key constraint', 'io.jwt.decode_verify', [hs256({}), {}]],
      [
        'duplicate key constraints',
        'io.jwt.decode_verify',
        [hs256({}), { secret: 'a', cert: 'b' }],
      ],
      [
        'exp value must be a number',
        'io.jwt.decode_verify',
        [hs256({ exp: 'x' }), { secret: 'secret' }],
      ],
      ['failed to parse a JWK key (set)', 'io.jwt.verify_rs256', [hs256({}), '{']],
      [
        'failed to sign: the key is not usable',
        'io.jwt.encode_sign',
        [{ alg: 'RS256' }, {}, { kty: 'RSA', n: 'xx' }],
      ],
      [
        'invalid key type for the algorithm',
        'io.jwt.encode_sign',
        [{ alg: 'RS256' }, {}, { kty: 'oct', k: 'xx' }],
      ],
      ['missing key', 'io.jwt.encode_sign', [{ alg: 'HS256' }, {}, { kty: 'oct' }]],
      ['missing key', 'io.jwt.encode_sign', [{ alg: 'HS512' }, {}, { kty: 'oct', k: '' }]],
      [
        'payload is not JSON',
        'io.jwt.encode_sign_raw',
        ['{"alg":"HS256"}', 'x', '{"kty":"oct","k":"eA"}'],
      ],
    ]
    for (const [message, name, args] of bad)
      expect(() => call(name, ...args), message).toThrow(message)
  })

  it('compute and compare hashes', () => {
    expect(call('crypto.md5', '')).toBe('d41d8cd98f00b204e9800998ecf8427e')
    expect(call('crypto.hmac.sha512', 'a', 'b')).toBe(
      createHmac('sha512', 'b').update('a').digest('hex'),
    )
    expect(call('crypto.hmac.equal', 'a', 'a')).toBe(true)
    expect(call('crypto.hmac.equal', 'a', 'ab')).toBe(false)
  })

  it('sign AWS requests without modifying their content', () => {
    const config = {
      aws_access_key: 'A',
      aws_secret_access_key: 'B',
      aws_service: 'ec2',
      aws_region: 'eu-1',
    }
    const request = {
      method: 'GET',
      url: 'https://host/a%20b?x=1',
      headers: { 'User-Agent': 'me', X: ['1', '2'] },
    }
    const signed = toJson(
      callWith(testContext(), 'providers.aws.sign_req', request, config, 0) ?? null,
    )
    expect(signed).toMatchObject({
      method: 'GET',
      headers: { 'User-Agent': 'me', host: 'host', 'x-amz-date': '19700101T000000Z' },
    })
    expect(JSON.stringify(signed)).toMatch(/SignedHeaders=host;x;x-amz-date,Signature=[\da-f]{64}/)
    expect(JSON.stringify(signed)).not.toContain('"B"')
    expect(() => call('providers.aws.sign_req', request, config, value('x'))).toThrow(
      'operand 3 could not convert',
    )
  })
})
