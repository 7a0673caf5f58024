import { publicKey, rpcBody } from '../lab/requests.ts'
import { createTaskSubject, simulatePolicySubject, simulateTaskSubject } from '../lab/subjects.ts'
import type { Check } from '../runner/check.ts'
import { expectMatch, expectResult, expectThat, show } from '../runner/expect.ts'
import type { SendOptions } from '../wire/exchange.ts'
import type { Answer } from '../wire/gateway.ts'

/** Sections 5.1, 7.3 and 7.4: keys, permissions and the HTTP statuses that tell of them. */
const twin = 'the same request with a key that has the permission'

const expectStatus = (answer: Answer, status: number, message: RegExp): void => {
  expectThat(
    answer.status === status,
    'the HTTP status',
    status,
    `${answer.status}: ${show(answer.exchange.body)}`,
  )
  expectMatch(answer.exchange.body, message, 'the body')
}

const invalidKey = (name: string, key: SendOptions['key'], needs: Check['needs'] = []): Check => ({
  id: `rpc.keys.invalid.${name}`,
  title: `a request with ${name.replaceAll('-', ' ')} is 401, Invalid API key`,
  clauses: ['7.4-02', '7.3-04', '5.1-01', ...(name === 'expired-key' ? ['5.1-04'] : [])],
  level: 'must',
  needs: ['key:read', ...needs],
  twin,
  run: async (t) => {
    await t.twin(async () => expectResult(await publicKey(t)))
    const body = rpcBody(t, 'getSecretsPublicKey', {})
    expectStatus(await t.gateway.send({ body, key }), 401, /Invalid API key/)
  },
})

const withoutPermission = (key: 'write' | 'none', subject: typeof createTaskSubject): Check => ({
  id: `rpc.keys.permission.${subject.method}.${key}`,
  title: `${subject.method} with a key that has ${key === 'none' ? 'no permission' : 'RpcWrite alone'} is 403`,
  clauses: ['7.4-03', '7.3-03', '5.1-02', ...(key === 'write' ? ['5.1-03'] : [])],
  level: 'must',
  needs: [...subject.needs, `key:${key}`],
  twin,
  run: async (t) => {
    await t.twin(() => subject.accepted(t))
    const answer = await t.gateway.call(subject.method, subject.params(t), { key })
    expectStatus(answer, 403, /RpcRead permission required/)
  },
})

const keySubject = {
  method: 'getSecretsPublicKey',
  needs: ['key:read'],
  twin,
  params: () => ({}),
  accepted: async (t: Parameters<typeof publicKey>[0]) => expectResult(await publicKey(t)),
} as const

const subjects = [createTaskSubject, simulateTaskSubject, simulatePolicySubject, keySubject]

const permitted: Readonly<Record<string, string>> = {
  createTask: '4.2-01',
  simulateTask: '4.4-01',
  simulatePolicy: '4.8-01',
  getSecretsPublicKey: '4.10-01',
}

export const keys: readonly Check[] = [
  invalidKey('no-key', undefined),
  invalidKey('unknown-key', { header: 'Bearer not-a-key-of-anybody' }),
  invalidKey('empty-key', { header: 'Bearer ' }),
  invalidKey('key-without-scheme', { header: 'not-a-key-of-anybody' }),
  invalidKey('basic-scheme', { header: 'Basic bm9ib2R5Om5vdGhpbmc=' }),
  invalidKey('long-key', { header: `Bearer ${'k'.repeat(4000)}` }),
  invalidKey('expired-key', 'expired', ['key:expired']),
  ...subjects.flatMap((subject) => [
    withoutPermission('none', subject as typeof createTaskSubject),
    withoutPermission('write', subject as typeof createTaskSubject),
  ]),
  ...subjects.map(
    (subject): Check => ({
      id: `rpc.keys.read-suffices.${subject.method}`,
      title: `${subject.method} is allowed to a key with RpcRead`,
      clauses: [permitted[subject.method]!, '5.1-02'],
      level: 'must',
      needs: subject.needs,
      run: async (t) => {
        await subject.accepted(t)
      },
    }),
  ),
  {
    id: 'rpc.keys.invalid-before-params',
    title: 'a wrong key is refused before anything is said about wrong params',
    clauses: ['7.4-02', '7.3-04'],
    level: 'must',
    needs: ['key:read'],
    twin,
    run: async (t) => {
      await t.twin(async () => expectResult(await publicKey(t)))
      const answer = await t.gateway.send({
        body: rpcBody(t, 'createTask', {}),
        key: { header: 'Bearer not-a-key-of-anybody' },
      })
      expectStatus(answer, 401, /Invalid API key/)
    },
  },
  {
    id: 'rpc.keys.observed.body',
    title: 'observed: the bodies of 401 and 403',
    clauses: ['7.4-08'],
    level: 'may',
    needs: ['key:read', 'key:none'],
    run: async (t) => {
      expectResult(await publicKey(t))
      const body = rpcBody(t, 'getSecretsPublicKey', {})
      const wrong = await t.gateway.send({ body, key: { header: 'Bearer not-a-key' } })
      t.observe(`401 has the body ${show(wrong.json ?? wrong.exchange.body)}`)
      const none = await t.gateway.send({ body, key: 'none' })
      t.observe(`403 has the body ${show(none.json ?? none.exchange.body)}`)
    },
  },
  {
    id: 'rpc.keys.observed.scheme-case',
    title: 'observed: the scheme written as bearer',
    clauses: ['5.1-05'],
    level: 'may',
    needs: ['key:read'],
    run: async (t) => {
      expectResult(await publicKey(t))
      const body = rpcBody(t, 'getSecretsPublicKey', {})
      const key = { header: `bearer ${t.target.keys.read}` }
      const answer = await t.gateway.send({ body, key })
      t.observe(`the scheme in lowercase gives HTTP ${answer.status}`)
    },
  },
]
