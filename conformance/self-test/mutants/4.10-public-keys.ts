import { x25519 } from '@noble/curves/ed25519.js'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import { needingToo } from './keyFaults.ts'
import type { MarkFired, Mutant } from './mutant.ts'
import { changedParams, changedResult } from './wrappedListeners.ts'

const publicKeys = (change: (result: Record<string, string>) => Record<string, unknown>) => [
  changedResult('getSecretsPublicKey', (result) => change(result)),
  changedResult('getPrivacyPublicKey', (result) => change(result)),
]

const both =
  ([one, other]: readonly ((markFired: MarkFired) => ServiceParts)[]) =>
  (markFired: MarkFired): ServiceParts => {
    const [first, second] = [one?.(markFired).wrapGatewayFetch, other?.(markFired).wrapGatewayFetch]
    return { wrapGatewayFetch: (fetch) => first!(second!(fetch)) }
  }

/** Faults in the two encryption keys (section 4.10). */
export const publicKeyMutants: readonly Mutant[] = [
  {
    id: 'confidential.secrets-key-wants-params',
    fault: 'answers getSecretsPublicKey only if params is an object',
    clauses: ['4.10-01'],
    parts: changedParams('getSecretsPublicKey', (params) =>
      params === undefined || params === null || Array.isArray(params) ? 'none' : params,
    ),
  },
  {
    id: 'confidential.secrets-key-needs-write',
    fault: 'requires RpcWrite for getSecretsPublicKey, as for storing secrets',
    clauses: ['4.10-01', '5.1-02'],
    parts: needingToo(['getSecretsPublicKey'], 'RpcWrite'),
  },
  {
    id: 'confidential.privacy-key-needs-write',
    fault: 'requires RpcWrite for getPrivacyPublicKey, as for uploads',
    clauses: ['4.10-02'],
    parts: needingToo(['getPrivacyPublicKey'], 'RpcWrite'),
  },
  {
    id: 'confidential.key-in-base64',
    fault: 'returns the encryption keys in base64',
    clauses: ['4.10-03'],
    parts: both(
      publicKeys((result) => ({
        ...result,
        public_key: Buffer.from(result.public_key ?? '', 'hex').toString('base64'),
      })),
    ),
  },
  {
    id: 'confidential.key-with-type-byte',
    fault: 'returns the encryption keys with a leading type byte',
    clauses: ['4.10-03'],
    parts: both(publicKeys((result) => ({ ...result, public_key: `40${result.public_key}` }))),
  },
  {
    id: 'confidential.key-type-in-capitals',
    fault: 'returns X25519 as key_type',
    clauses: ['4.10-04'],
    parts: both(publicKeys((result) => ({ ...result, key_type: 'X25519' }))),
  },
  {
    id: 'confidential.another-suite',
    fault: 'returns a suite with AES although ChaCha20 is used',
    clauses: ['4.10-05'],
    parts: both(
      publicKeys((result) => ({
        ...result,
        encryption_suite: 'HPKE-Base-X25519-HKDF-SHA256-AES256GCM',
      })),
    ),
  },
  {
    id: 'confidential.suite-is-number',
    fault: 'returns the suite as numbers',
    clauses: ['4.10-05'],
    parts: both(publicKeys((result) => ({ ...result, encryption_suite: [32, 1, 3] }))),
  },
  {
    id: 'confidential.secrets-key-of-nobody',
    fault: 'serves a secrets key that no operator holds',
    clauses: ['4.10-33'],
    parts: (markFired) => {
      const secretsPublicKey = Buffer.from(x25519.getPublicKey(Buffer.alloc(32, 7))).toString('hex')
      return {
        gateway: (deps) => {
          const { encryptionKeys } = deps
          return {
            ...deps,
            encryptionKeys: {
              ...encryptionKeys,
              get secretsPublicKey() {
                markFired()
                return secretsPublicKey
              },
            },
          }
        },
      }
    },
  },
  {
    id: 'confidential.secrets-not-opened',
    fault: 'stores secrets without trying to open them',
    clauses: ['4.10-34'],
    parts: changedResult('storeEncryptedSecrets', (result) =>
      result.success === false ? { success: true, schema: {} } : result,
    ),
  },
]
