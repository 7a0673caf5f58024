import { createHash } from 'node:crypto'
import type { ApiKeyRecord } from 'polgate-service/store/apiKeys.ts'
import type { Database } from 'polgate-service/store/database.ts'
import { changedKeys, changedPermissions, lastKeyServes, needingToo } from './keyFaults.ts'
import type { Mutant } from './mutant.ts'

const reads = [
  'createTask',
  'sendTask',
  'simulateTask',
  'simulatePolicy',
  'simulatePolicyData',
  'simulatePolicyDataWithClient',
] as const
const uploads = [
  'storeEncryptedSecrets',
  'uploadIdentityEncrypted',
  'uploadConfidentialData',
] as const

/** Faults in keys and their permissions (section 5.1). */
export const keyMutants: readonly Mutant[] = [
  {
    id: 'keys.anonymous',
    fault: 'serves a request without a key as that of the last key',
    clauses: ['5.1-01'],
    parts: lastKeyServes('wrapGatewayFetch', (headers) => !headers.has('authorization')),
  },
  {
    id: 'keys.any-key',
    fault: 'accepts any text as a key',
    clauses: ['5.1-01'],
    parts: changedKeys(
      (record): ApiKeyRecord =>
        record ?? {
          id: 'anybody',
          name: 'anybody',
          permissions: ['rpc'],
          owners: [],
          createdAt: new Date(0),
          rotatedAt: null,
          expiresAt: null,
        },
    ),
  },
  {
    id: 'keys.tasks-need-write',
    fault: 'requires RpcWrite for tasks and simulations',
    clauses: ['5.1-02'],
    parts: needingToo(reads, 'RpcWrite'),
  },
  {
    id: 'keys.permissions-not-asked',
    fault: 'lets every valid key call everything',
    clauses: ['5.1-02', '5.1-03', '5.1-06', '5.1-07'],
    parts: changedPermissions(() => ['rpc']),
  },
  {
    id: 'keys.none-is-read',
    fault: 'lets a key without permissions read',
    clauses: ['5.1-02'],
    parts: changedPermissions((held) => (held.length === 0 ? ['rpc_read'] : held)),
  },
  {
    id: 'keys.none-is-write',
    fault: 'lets a key without permissions upload',
    clauses: ['5.1-06'],
    parts: changedPermissions((held) => (held.length === 0 ? ['rpc_write'] : held)),
  },
  {
    id: 'keys.write-includes-read',
    fault: 'treats RpcWrite as the higher permission, which includes RpcRead',
    clauses: ['5.1-03'],
    parts: changedPermissions((held) =>
      held.includes('rpc_write') && !held.includes('rpc') ? [...held, 'rpc_read'] : held,
    ),
  },
  {
    id: 'keys.read-includes-write',
    fault: 'lets a key with RpcRead upload',
    clauses: ['5.1-07'],
    parts: changedPermissions((held) =>
      held.includes('rpc_read') ? [...held, 'rpc_write'] : held,
    ),
  },
  {
    id: 'keys.expired-key-works',
    fault: 'ignores the expiry of a key',
    clauses: ['5.1-04'],
    parts: (markFired) => {
      let database: Database
      const kept = (key: string) =>
        database.query<ApiKeyRecord>(
          `select id, name, permissions, owners, created_at as "createdAt",
             rotated_at as "rotatedAt", expires_at as "expiresAt" from api_keys where hash = $1`,
          [createHash('sha256').update(key).digest()],
        )
      return {
        taskDeps: (deps) => {
          database = deps.store.database
          return deps
        },
        gateway: (deps) => ({
          ...deps,
          apiKeys: {
            lookup: async (key) => {
              const valid = await deps.apiKeys.lookup(key)
              if (valid !== undefined) return valid
              const [expired] = await kept(key)
              if (expired !== undefined) markFired()
              return expired
            },
          },
        }),
      }
    },
  },
  {
    id: 'keys.uploads-need-read-too',
    fault: 'requires RpcRead in addition to RpcWrite for uploads',
    clauses: ['5.1-06'],
    parts: needingToo(uploads, 'RpcRead'),
  },
  {
    id: 'keys.rpc-is-read',
    fault: 'treats a key with both permissions as one with RpcRead',
    clauses: ['5.1-08'],
    parts: changedPermissions((held) => (held.includes('rpc') ? ['rpc_read'] : held)),
  },
]
