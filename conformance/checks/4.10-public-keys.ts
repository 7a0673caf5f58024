import type { Check } from '../core/check.ts'
import { expectThat } from '../core/expect.ts'
import { expectResultObject } from '../kit/assertions/expectAnswer.ts'
import { observed } from '../kit/assertions/observed.ts'
import * as shape from '../kit/assertions/shape.ts'
import { expectShape } from '../kit/assertions/shape.ts'
import {
  expectPrivacyKey,
  expectPublicKey,
  failureOf,
  publicKey,
} from '../kit/scenarios/requests.ts'

/** Section 4.10: the two key endpoints. */
const suite = 'HPKE-Base-X25519-HKDF-SHA256-ChaCha20Poly1305'

const key: shape.Rule = (value) =>
  typeof value === 'string' && /^(0x)?[0-9a-f]{64}$/i.test(value) ? undefined : '32 bytes as hex'

const absentParams = (id: string, params: unknown): Check => ({
  id,
  title: `getSecretsPublicKey with params ${JSON.stringify(params) ?? 'absent'} answers`,
  clauses: ['4.10-01'],
  level: 'must',
  needs: ['key:read'],
  run: async (t) => {
    const result = expectResultObject(await t.gateway.call('getSecretsPublicKey', params))
    expectShape(result, { public_key: key }, 'result')
  },
})

/** Params are an object (section 4.1): what happens to another value is open. */
const otherParams = (id: string, params: unknown): Check => ({
  id,
  title: `observed: getSecretsPublicKey with params ${JSON.stringify(params)}`,
  clauses: ['4.1-19'],
  level: 'may',
  needs: ['key:read'],
  run: async (t) => {
    expectPublicKey(await publicKey(t))
    const answer = await t.gateway.call('getSecretsPublicKey', params)
    expectThat(answer.status < 500, 'the HTTP status', 'below 500', answer.status)
    const what = `params ${JSON.stringify(params)} of a method without params`
    observed(t, 'answer', what, failureOf(answer) ?? 'accepted')
  },
})

export const publicKeys: readonly Check[] = [
  {
    // 4.10-01: getSecretsPublicKey has no params and needs RpcRead.
    // 4.10-03: public_key is an X25519 key of 32 bytes as hex.
    // 4.10-04: key_type is x25519.
    // 4.10-05: encryption_suite is a string; for secrets the suite identifier of section 5.3.
    id: 'rpc.getSecretsPublicKey.shape',
    title: 'the secrets key has public_key, key_type and encryption_suite',
    clauses: ['4.10-01', '4.10-03', '4.10-04', '4.10-05'],
    level: 'must',
    needs: ['key:read'],
    run: async (t) => {
      const result = expectResultObject(await t.gateway.call('getSecretsPublicKey', {}))
      expectShape(
        result,
        { public_key: key, key_type: shape.oneOf('x25519'), encryption_suite: shape.oneOf(suite) },
        'result',
      )
      t.observe(`public_key ${String(result.public_key).startsWith('0x') ? 'with' : 'without'} 0x`)
    },
  },
  {
    // 4.10-01: getSecretsPublicKey has no params and needs RpcRead.
    // 4.10-03: public_key is an X25519 key of 32 bytes as hex.
    id: 'rpc.getSecretsPublicKey.stable',
    title: 'two calls return the same secrets key',
    clauses: ['4.10-01', '4.10-03'],
    level: 'must',
    needs: ['key:read'],
    run: async (t) => {
      const ask = async () =>
        expectResultObject(await t.gateway.call('getSecretsPublicKey', {})).public_key
      const [first, second] = [await ask(), await ask()]
      expectThat(first !== undefined && first === second, 'the second key', first, second)
    },
  },
  // 4.10-01: getSecretsPublicKey has no params and needs RpcRead.
  absentParams('rpc.getSecretsPublicKey.no-params.empty-object', {}),
  absentParams('rpc.getSecretsPublicKey.no-params.absent', undefined),
  // 4.1-19: What a gateway does with params that are null or an array.
  otherParams('rpc.getSecretsPublicKey.no-params.null', null),
  otherParams('rpc.getSecretsPublicKey.no-params.empty-array', []),
  {
    // 4.10-02: getPrivacyPublicKey has no params and needs RpcRead.
    // 4.10-03: public_key is an X25519 key of 32 bytes as hex.
    // 4.10-04: key_type is x25519.
    // 4.10-05: encryption_suite is a string; for secrets the suite identifier of section 5.3.
    // 4.10-07: Whether the privacy key is served, and equals the secrets key.
    id: 'rpc.getPrivacyPublicKey.shape',
    title: 'the privacy key, if it is served, has the same three members',
    clauses: ['4.10-02', '4.10-03', '4.10-04', '4.10-05', '4.10-07'],
    level: 'must',
    needs: ['key:read'],
    run: async (t) => {
      const secrets = expectPublicKey(await publicKey(t))
      const answer = await t.gateway.call('getPrivacyPublicKey', {})
      const result = expectPrivacyKey(answer)
      const served = failureOf(answer) ?? 'yes'
      observed(t, 'served', 'whether the privacy key is served', served)
      if (result === undefined) return
      expectShape(
        result,
        { public_key: key, key_type: shape.oneOf('x25519'), encryption_suite: shape.string },
        'result',
      )
      t.observe(
        `the privacy key equals the secrets key: ${result.public_key === secrets.public_key}`,
      )
    },
  },
  {
    // 4.10-06: Whether public_key has a 0x prefix.
    id: 'rpc.publicKey.observed.prefix',
    title: 'observed: the form of public_key',
    clauses: ['4.10-06'],
    level: 'may',
    needs: ['key:read'],
    run: async (t) => {
      const result = expectPublicKey(await t.gateway.call('getSecretsPublicKey', {}))
      t.observe(`public_key has ${String(result.public_key).length} characters`)
    },
  },
  {
    // 4.10-48: Whether the results with public keys announce further forms of envelopes.
    id: 'rpc.publicKey.observed.envelope-forms',
    title: 'observed: the forms of envelopes that the results with public keys announce',
    clauses: ['4.10-48'],
    level: 'may',
    profiles: ['private-data'],
    needs: ['key:read'],
    run: async (t) => {
      const secrets = expectPublicKey(await publicKey(t))
      const what = 'the forms of envelopes with the secrets key'
      observed(t, 'secrets', what, secrets.envelope_forms ?? 'none')
      const privacy = expectPrivacyKey(await t.gateway.call('getPrivacyPublicKey', {}))
      if (privacy !== undefined)
        observed(t, 'privacy', 'those with the privacy key', privacy.envelope_forms ?? 'none')
    },
  },
]
