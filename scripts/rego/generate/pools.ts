import credentials from './credentials.json' with { type: 'json' }
import pools from './pools.json' with { type: 'json' }

const { tokens, publicKeys, jwks, privateJwks, privateKeys, certificates, request } = credentials

const texts = (...values: readonly string[]): string[] =>
  values.map((value) => JSON.stringify(value))

const jwk = [
  '{"kty": "oct", "k": "c2VjcmV0"}',
  JSON.stringify(privateJwks.rsa),
  '{}',
  '{"kty": "oct", "k": "!"}',
]

/** Terms made of keys, tokens and certificates, which are only for these tests. */
const SIGNED: Readonly<Record<string, readonly string[]>> = {
  tokens: texts(...Object.values(tokens), 'a.b.c', '', 'eyJhbGciOiJub25lIn0.e30.'),
  keys: texts(
    ...Object.values(publicKeys),
    ...Object.values(jwks),
    certificates.leaf,
    'secret',
    '',
  ),
  certificates: texts(
    certificates.leaf,
    certificates.authority,
    certificates.authority + certificates.leaf,
    Buffer.from(certificates.leaf).toString('base64'),
    '',
    'x',
  ),
  private: texts(...Object.values(privateKeys), Object.values(privateKeys).join(''), 'x', ''),
  constraints: [
    '{"secret": "secret"}',
    '{"secret": "secret", "alg": "HS256"}',
    '{"secret": "secret", "iss": "https://issuer.example", "aud": "a"}',
    `{"cert": ${JSON.stringify(publicKeys.rsa)}}`,
    `{"cert": ${JSON.stringify(jwks.p256)}, "aud": "b"}`,
    `{"cert": ${JSON.stringify(publicKeys.rsa)}, "alg": "PS256", "aud": "a", "time": 5}`,
    '{"secret": "secret", "aud": "zz"}',
    '{"secret": "secret", "nope": 1}',
    '{}',
  ],
  jwk,
  'jwk text': texts(...jwk),
  request: texts(request, 'x', ''),
  leaf: texts(certificates.leaf, 'x'),
  'leaf key': texts(privateKeys.leaf, privateKeys.ec),
}

const TERMS: Readonly<Record<string, readonly string[]>> = { ...pools.terms, ...SIGNED }

/**
 * For the arguments of a built-in the texts of terms that mean something to it: random ones would only
 * ever be refused. An argument without a pool gets a term of its type.
 */
export const POOLS: ReadonlyMap<string, readonly (readonly string[] | undefined)[]> = new Map(
  Object.entries(pools.calls).map(([name, args]) => [
    name,
    args.map((pool) => (pool === null ? undefined : TERMS[pool])),
  ]),
)
