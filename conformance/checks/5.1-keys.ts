import type { Check } from '../core/check.ts'
import { lastPart } from '../core/check.ts'
import type { SendOptions } from '../core/exchange.ts'
import { show } from '../core/expect.ts'
import { expectStatus } from '../kit/assertions/httpStatus.ts'
import { expectPublicKey, publicKey, rpcBody } from '../kit/scenarios/requests.ts'

/** Sections 5.1, 7.3 and 7.4: API keys, and the HTTP statuses for invalid ones. */
const twin = 'the same request with a valid key'

const invalidKey = (id: string, key: SendOptions['key'], needs: Check['needs'] = []): Check => ({
  id,
  title: `a request with ${lastPart(id).replaceAll('-', ' ')} is 401, Invalid API key`,
  clauses: ['7.4-02', '7.3-04', '5.1-01', ...(lastPart(id) === 'expired-key' ? ['5.1-04'] : [])],
  level: 'must',
  needs: ['key:read', ...needs],
  twin,
  run: async (t) => {
    await t.twin(async () => expectPublicKey(await publicKey(t)))
    const body = rpcBody(t, 'getSecretsPublicKey', {})
    expectStatus(await t.gateway.send({ body, key }), 401, /Invalid API key/)
  },
})

export const keys: readonly Check[] = [
  // 7.4-02: 401 for an invalid API key.
  // 7.3-04: The message for an invalid or expired key is "Invalid API key".
  // 5.1-01: Every request has the header Authorization: Bearer <key>.
  invalidKey('rpc.keys.invalid.no-key', undefined),
  invalidKey('rpc.keys.invalid.unknown-key', { header: 'Bearer not-a-key-of-anybody' }),
  invalidKey('rpc.keys.invalid.empty-key', { header: 'Bearer ' }),
  invalidKey('rpc.keys.invalid.key-without-scheme', { header: 'not-a-key-of-anybody' }),
  invalidKey('rpc.keys.invalid.basic-scheme', { header: 'Basic bm9ib2R5Om5vdGhpbmc=' }),
  invalidKey('rpc.keys.invalid.long-key', { header: `Bearer ${'k'.repeat(4000)}` }),
  // 7.4-02: 401 for an invalid API key.
  // 7.3-04: The message for an invalid or expired key is "Invalid API key".
  // 5.1-01: Every request has the header Authorization: Bearer <key>.
  // 5.1-04: An expired key is as invalid as an unknown one, for every method.
  invalidKey('rpc.keys.invalid.expired-key', 'expired', ['key:expired']),
  {
    // 7.4-02: 401 for an invalid API key.
    // 7.3-04: The message for an invalid or expired key is "Invalid API key".
    id: 'rpc.keys.invalid-before-params',
    title: 'an invalid key is rejected before the params are validated',
    clauses: ['7.4-02', '7.3-04'],
    level: 'must',
    profiles: ['tasks'],
    needs: ['key:read'],
    twin,
    run: async (t) => {
      await t.twin(async () => expectPublicKey(await publicKey(t)))
      const answer = await t.gateway.send({
        body: rpcBody(t, 'createTask', {}),
        key: { header: 'Bearer not-a-key-of-anybody' },
      })
      expectStatus(answer, 401, /Invalid API key/)
    },
  },
  {
    // 7.4-08: The body of a 401 and a 403.
    id: 'rpc.keys.observed.body',
    title: 'observed: the bodies of 401 and 403',
    clauses: ['7.4-08'],
    level: 'may',
    needs: ['key:read', 'key:none'],
    run: async (t) => {
      expectPublicKey(await publicKey(t))
      const body = rpcBody(t, 'getSecretsPublicKey', {})
      const wrong = await t.gateway.send({ body, key: { header: 'Bearer not-a-key' } })
      t.observe(`401 has the body ${show(wrong.json ?? wrong.exchange.body)}`)
      const none = await t.gateway.send({ body, key: 'none' })
      t.observe(`403 has the body ${show(none.json ?? none.exchange.body)}`)
    },
  },
  {
    // 5.1-05: Whether the Bearer scheme is matched without regard to case.
    id: 'rpc.keys.observed.scheme-case',
    title: 'observed: the scheme written as bearer',
    clauses: ['5.1-05'],
    level: 'may',
    needs: ['key:read'],
    run: async (t) => {
      expectPublicKey(await publicKey(t))
      const body = rpcBody(t, 'getSecretsPublicKey', {})
      const key = { header: `bearer ${t.target.keys.read}` }
      const answer = await t.gateway.send({ body, key })
      t.observe(`the scheme in lowercase gives HTTP ${answer.status}`)
    },
  },
]
