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
import { expectStored } from '../kit/scenarios/secrets.ts'
import { storeSecretsSubject } from '../kit/scenarios/secretsSubjects.ts'

/** Section 5.1: which key may call which method, for every method of the table. */
const twin = 'the same request with a key that has the permission'

/** With no permission, with only the other one, and with that of the method. */
type Ids = { readonly none: string; readonly other: string; readonly suffices: string }

const ids: Readonly<Record<TableMethod, Ids>> = {
  createTask: {
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    none: 'rpc.keys.permission.createTask.none',
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-03: RpcWrite alone does not allow task submission, simulation or reads.
    other: 'rpc.keys.permission.createTask.write',
    // 4.2-01: A key with RpcRead may create tasks.
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    suffices: 'rpc.keys.read-suffices.createTask',
  },
  sendTask: {
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    none: 'rpc.keys.permission.sendTask.none',
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-03: RpcWrite alone does not allow task submission, simulation or reads.
    other: 'rpc.keys.permission.sendTask.write',
    // 4.3-01: A key with RpcRead may send tasks.
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    suffices: 'rpc.keys.read-suffices.sendTask',
  },
  simulateTask: {
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    none: 'rpc.keys.permission.simulateTask.none',
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-03: RpcWrite alone does not allow task submission, simulation or reads.
    other: 'rpc.keys.permission.simulateTask.write',
    // 4.4-01: A key with RpcRead may simulate tasks.
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    suffices: 'rpc.keys.read-suffices.simulateTask',
  },
  storeEncryptedSecrets: {
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-06: RpcWrite allows secrets, identity and confidential uploads.
    none: 'rpc.keys.permission.storeEncryptedSecrets.none',
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-07: RpcRead alone does not allow uploads.
    other: 'rpc.keys.permission.storeEncryptedSecrets.read',
    // 4.5-01: A key with RpcWrite may store secrets.
    // 5.1-06: RpcWrite allows secrets, identity and confidential uploads.
    suffices: 'rpc.keys.write-suffices.storeEncryptedSecrets',
  },
  simulatePolicyData: {
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    none: 'rpc.keys.permission.simulatePolicyData.none',
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-03: RpcWrite alone does not allow task submission, simulation or reads.
    other: 'rpc.keys.permission.simulatePolicyData.write',
    // 4.6-01: A key with RpcRead may simulate an oracle.
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    suffices: 'rpc.keys.read-suffices.simulatePolicyData',
  },
  simulatePolicyDataWithClient: {
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    none: 'rpc.keys.permission.simulatePolicyDataWithClient.none',
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-03: RpcWrite alone does not allow task submission, simulation or reads.
    other: 'rpc.keys.permission.simulatePolicyDataWithClient.write',
    // 4.7-01: A key with RpcRead may simulate an oracle with stored secrets.
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    suffices: 'rpc.keys.read-suffices.simulatePolicyDataWithClient',
  },
  simulatePolicy: {
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    none: 'rpc.keys.permission.simulatePolicy.none',
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-03: RpcWrite alone does not allow task submission, simulation or reads.
    other: 'rpc.keys.permission.simulatePolicy.write',
    // 4.8-01: A key with RpcRead may simulate policies.
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    suffices: 'rpc.keys.read-suffices.simulatePolicy',
  },
  getPrivacyPublicKey: {
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    none: 'rpc.keys.permission.getPrivacyPublicKey.none',
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-03: RpcWrite alone does not allow task submission, simulation or reads.
    other: 'rpc.keys.permission.getPrivacyPublicKey.write',
    // 4.10-02: getPrivacyPublicKey has no params and needs RpcRead.
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    suffices: 'rpc.keys.read-suffices.getPrivacyPublicKey',
  },
  getSecretsPublicKey: {
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    none: 'rpc.keys.permission.getSecretsPublicKey.none',
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-03: RpcWrite alone does not allow task submission, simulation or reads.
    other: 'rpc.keys.permission.getSecretsPublicKey.write',
    // 4.10-01: getSecretsPublicKey has no params and needs RpcRead.
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    suffices: 'rpc.keys.read-suffices.getSecretsPublicKey',
  },
  uploadIdentityEncrypted: {
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-06: RpcWrite allows secrets, identity and confidential uploads.
    none: 'rpc.keys.permission.uploadIdentityEncrypted.none',
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-07: RpcRead alone does not allow uploads.
    other: 'rpc.keys.permission.uploadIdentityEncrypted.read',
    // 4.10-08: uploadIdentityEncrypted needs RpcWrite.
    // 5.1-06: RpcWrite allows secrets, identity and confidential uploads.
    suffices: 'rpc.keys.write-suffices.uploadIdentityEncrypted',
  },
  getIdentityEncrypted: {
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    none: 'rpc.keys.permission.getIdentityEncrypted.none',
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-03: RpcWrite alone does not allow task submission, simulation or reads.
    other: 'rpc.keys.permission.getIdentityEncrypted.write',
    // 4.10-18: getIdentityEncrypted needs RpcRead.
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    suffices: 'rpc.keys.read-suffices.getIdentityEncrypted',
  },
  uploadConfidentialData: {
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-06: RpcWrite allows secrets, identity and confidential uploads.
    none: 'rpc.keys.permission.uploadConfidentialData.none',
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-07: RpcRead alone does not allow uploads.
    other: 'rpc.keys.permission.uploadConfidentialData.read',
    // 4.10-22: uploadConfidentialData needs RpcWrite.
    // 5.1-06: RpcWrite allows secrets, identity and confidential uploads.
    suffices: 'rpc.keys.write-suffices.uploadConfidentialData',
  },
  getConfidentialData: {
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    none: 'rpc.keys.permission.getConfidentialData.none',
    // 7.4-03: 403 for insufficient permissions.
    // 7.3-03: The message for a missing permission is "RpcRead permission required" or "RpcWrite
    //   permission required".
    // 5.1-03: RpcWrite alone does not allow task submission, simulation or reads.
    other: 'rpc.keys.permission.getConfidentialData.write',
    // 4.10-30: getConfidentialData needs RpcRead.
    // 5.1-02: RpcRead allows task submission, simulation and reads.
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
    // 5.1-04: An expired key is as invalid as an unknown one, for every method.
    // 7.3-04: The message for an invalid or expired key is "Invalid API key".
    // 7.4-02: 401 for an invalid API key.
    id: 'rpc.keys.expired.every-method',
    title: 'an expired key is rejected with 401 by every method',
    clauses: ['5.1-04', '7.3-04', '7.4-02'],
    level: 'must',
    profiles: ['tasks', 'secrets', 'private-data'],
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
    // 5.1-08: A key with both permissions may do what either one allows.
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    // 5.1-06: RpcWrite allows secrets, identity and confidential uploads.
    id: 'rpc.keys.both.every-method',
    title: 'a key with both permissions may call every method',
    clauses: ['5.1-08', '5.1-02', '5.1-06'],
    level: 'must',
    profiles: ['tasks', 'secrets', 'private-data'],
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
    // 5.1-08: A key with both permissions may do what either one allows.
    // 5.1-06: RpcWrite allows secrets, identity and confidential uploads.
    id: 'rpc.keys.both.storeEncryptedSecrets',
    title: 'a key with both permissions reads the secrets key and stores secrets',
    clauses: ['5.1-08', '5.1-06'],
    level: 'must',
    needs: [...storeSecretsSubject.needs, 'key:rpc'],
    run: async (t) => {
      expectPublicKey(await t.gateway.call('getSecretsPublicKey', {}, { key: 'rpc' }))
      const params = await storeSecretsSubject.params(t)
      expectStored(await t.gateway.call('storeEncryptedSecrets', params, { key: 'rpc' }))
    },
  },
  {
    // 5.1-10: What a key with other permissions may call.
    id: 'rpc.keys.observed.admin',
    title: 'observed: what a key with other permissions may call',
    clauses: ['5.1-10'],
    level: 'may',
    profiles: ['tasks', 'secrets', 'private-data'],
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
    // 5.1-11: When a new, rotated or deleted key takes effect.
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
