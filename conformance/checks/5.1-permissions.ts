import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import type { OwnKey } from '../core/exchange.ts'
import { expectStatus } from '../kit/assertions/httpStatus.ts'
import { observed } from '../kit/assertions/observed.ts'
import { deleteKey, makeKey, rotateKey } from '../kit/scenarios/controlListener.ts'
import {
  expectForbidden,
  type MethodRow,
  methodTable,
  methodTableNeeds,
  type TableMethod,
} from '../kit/scenarios/methodTable.ts'
import { expectPublicKey, publicKey, rpcBody } from '../kit/scenarios/requests.ts'

/** Section 5.1: which key may call which method, for every method of the table. */
const twin = 'the same request with a key that has the permission'

/** With no permission, with only the other one, and with that of the method. */
type Ids = { readonly none: string; readonly other: string; readonly suffices: string }

const ids: Readonly<Record<TableMethod, Ids>> = {
  createTask: {
    none: 'rpc.keys.permission.createTask.none',
    other: 'rpc.keys.permission.createTask.write',
    suffices: 'rpc.keys.read-suffices.createTask',
  },
  sendTask: {
    none: 'rpc.keys.permission.sendTask.none',
    other: 'rpc.keys.permission.sendTask.write',
    suffices: 'rpc.keys.read-suffices.sendTask',
  },
  simulateTask: {
    none: 'rpc.keys.permission.simulateTask.none',
    other: 'rpc.keys.permission.simulateTask.write',
    suffices: 'rpc.keys.read-suffices.simulateTask',
  },
  storeEncryptedSecrets: {
    none: 'rpc.keys.permission.storeEncryptedSecrets.none',
    other: 'rpc.keys.permission.storeEncryptedSecrets.read',
    suffices: 'rpc.keys.write-suffices.storeEncryptedSecrets',
  },
  simulatePolicyData: {
    none: 'rpc.keys.permission.simulatePolicyData.none',
    other: 'rpc.keys.permission.simulatePolicyData.write',
    suffices: 'rpc.keys.read-suffices.simulatePolicyData',
  },
  simulatePolicyDataWithClient: {
    none: 'rpc.keys.permission.simulatePolicyDataWithClient.none',
    other: 'rpc.keys.permission.simulatePolicyDataWithClient.write',
    suffices: 'rpc.keys.read-suffices.simulatePolicyDataWithClient',
  },
  simulatePolicy: {
    none: 'rpc.keys.permission.simulatePolicy.none',
    other: 'rpc.keys.permission.simulatePolicy.write',
    suffices: 'rpc.keys.read-suffices.simulatePolicy',
  },
  getPrivacyPublicKey: {
    none: 'rpc.keys.permission.getPrivacyPublicKey.none',
    other: 'rpc.keys.permission.getPrivacyPublicKey.write',
    suffices: 'rpc.keys.read-suffices.getPrivacyPublicKey',
  },
  getSecretsPublicKey: {
    none: 'rpc.keys.permission.getSecretsPublicKey.none',
    other: 'rpc.keys.permission.getSecretsPublicKey.write',
    suffices: 'rpc.keys.read-suffices.getSecretsPublicKey',
  },
  uploadIdentityEncrypted: {
    none: 'rpc.keys.permission.uploadIdentityEncrypted.none',
    other: 'rpc.keys.permission.uploadIdentityEncrypted.read',
    suffices: 'rpc.keys.write-suffices.uploadIdentityEncrypted',
  },
  getIdentityEncrypted: {
    none: 'rpc.keys.permission.getIdentityEncrypted.none',
    other: 'rpc.keys.permission.getIdentityEncrypted.write',
    suffices: 'rpc.keys.read-suffices.getIdentityEncrypted',
  },
  uploadConfidentialData: {
    none: 'rpc.keys.permission.uploadConfidentialData.none',
    other: 'rpc.keys.permission.uploadConfidentialData.read',
    suffices: 'rpc.keys.write-suffices.uploadConfidentialData',
  },
  getConfidentialData: {
    none: 'rpc.keys.permission.getConfidentialData.none',
    other: 'rpc.keys.permission.getConfidentialData.write',
    suffices: 'rpc.keys.read-suffices.getConfidentialData',
  },
}

function forbidden(row: MethodRow, key: 'none' | 'read' | 'write', id: string): Check {
  const { method, needs, accepted } = row.subject
  const alone = row.permission === 'RpcRead' ? '5.1-03' : '5.1-07'
  return {
    id,
    title: `${method} is refused with 403 for a key that has ${
      key === 'none' ? 'no permission' : key === 'read' ? 'only RpcRead' : 'only RpcWrite'
    }`,
    clauses: [
      '7.4-03',
      '7.3-03',
      ...(key === 'none' ? [row.permission === 'RpcRead' ? '5.1-02' : '5.1-06'] : [alone]),
    ],
    level: 'must',
    needs: [...new Set([...needs, `key:${key}` as const])],
    twin,
    run: async (t) => {
      await t.twin(() => accepted(t))
      if ((await row.served?.(t)) === false) return t.observe(`${method} is not served`)
      await expectForbidden(t, row, key)
    },
  }
}

function suffices(row: MethodRow): Check {
  const { method, needs, accepted } = row.subject
  return {
    id: ids[method].suffices,
    title: `${method} is allowed to a key with ${row.permission}`,
    clauses: [row.clause, row.permission === 'RpcRead' ? '5.1-02' : '5.1-06'],
    level: 'must',
    needs,
    run: async (t) => {
      await accepted(t)
    },
  }
}

/** One request of each method, with the key; the caller judges the responses. */
async function withEachMethod(
  t: CheckContext,
  key: 'expired' | 'rpc' | 'admin',
  look: (row: MethodRow, answer: Awaited<ReturnType<CheckContext['gateway']['call']>>) => void,
): Promise<void> {
  for (const row of methodTable) {
    const { method, params } = row.subject
    look(row, await t.gateway.call(method, await params(t), { key }))
  }
}

async function statusOf(t: CheckContext, key: OwnKey): Promise<number> {
  const body = rpcBody(t, 'getSecretsPublicKey', {})
  return (await t.gateway.send({ body, key })).status
}

export const permissions: readonly Check[] = [
  ...methodTable.flatMap((row) => [
    forbidden(row, 'none', ids[row.subject.method].none),
    forbidden(row, row.permission === 'RpcRead' ? 'write' : 'read', ids[row.subject.method].other),
    suffices(row),
  ]),
  {
    id: 'rpc.keys.expired.every-method',
    title: 'an expired key is rejected with 401 by every method',
    clauses: ['5.1-04', '7.3-04', '7.4-02'],
    level: 'must',
    needs: [...methodTableNeeds, 'key:expired'],
    twin: 'the same requests with valid keys',
    run: async (t) => {
      await t.twin(async () => {
        for (const { subject } of methodTable) await subject.accepted(t)
      })
      await withEachMethod(t, 'expired', (_, answer) =>
        expectStatus(answer, 401, /Invalid API key/),
      )
    },
  },
  {
    id: 'rpc.keys.both.every-method',
    title: 'a key with both permissions may call every method',
    clauses: ['5.1-08', '5.1-02', '5.1-06'],
    level: 'must',
    needs: [...methodTableNeeds, 'key:rpc'],
    run: async (t) => {
      for (const { subject } of methodTable) await subject.accepted(t)
      await withEachMethod(t, 'rpc', ({ subject }, answer) => {
        // Params that were used before may be refused, but not because of the key.
        const refused = answer.status === 401 || answer.status === 403
        if (refused) expectStatus(answer, 200, new RegExp(subject.method))
      })
    },
  },
  {
    id: 'rpc.keys.observed.admin',
    title: 'observed: what a key with other permissions may call',
    clauses: ['5.1-10'],
    level: 'may',
    needs: [...methodTableNeeds, 'key:admin'],
    run: async (t) => {
      for (const { subject } of methodTable) await subject.accepted(t)
      const allowed: string[] = []
      await withEachMethod(t, 'admin', ({ subject }, answer) => {
        if (answer.status !== 403) allowed.push(subject.method)
      })
      observed(t, 'allowed-methods', 'methods allowed to a key with only admin', allowed)
    },
  },
  {
    id: 'rpc.keys.observed.life',
    title: 'observed: how soon creation, rotation and deletion of a key take effect',
    clauses: ['5.1-11'],
    level: 'may',
    needs: ['key:read', 'key-control'],
    run: async (t) => {
      expectPublicKey(await publicKey(t))
      const made = await makeKey(t, ['rpc_read'])
      try {
        const created = await statusOf(t, made.key)
        const rotated = await rotateKey(t, made.id)
        const afterRotation = [await statusOf(t, made.key), await statusOf(t, rotated.key)]
        await deleteKey(t, made.id)
        const statuses = [created, ...afterRotation, await statusOf(t, rotated.key)]
        observed(
          t,
          'statuses',
          'HTTP statuses for a new key, the rotated one, its successor, the deleted one',
          statuses,
        )
      } finally {
        await deleteKey(t, made.id).catch(() => undefined)
      }
    },
  },
]
