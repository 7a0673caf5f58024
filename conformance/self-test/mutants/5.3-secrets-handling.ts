import type { Address } from 'polgate-protocol/scalars.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { type EncryptionKey, loadEncryptionKey } from 'polgate-service/envelopes/encryptionKey.ts'
import { parseEnvelope } from 'polgate-service/envelopes/envelope.ts'
import { openSecrets } from 'polgate-service/envelopes/secrets.ts'
import { uploadRefused } from 'polgate-service/envelopes/secretsSchema.ts'
import { OracleError } from 'polgate-service/oracles/oracleError.ts'
import type { SecretsScope } from 'polgate-service/store/secrets.ts'
import type { MarkFired, Mutant } from './mutant.ts'
import { dataStage, oracleRun, secretsCheck, uploadStage } from './parts.ts'
import { changedResult, type Json } from './wrappedListeners.ts'

const nobody: Address = `0x${'0'.repeat(40)}`

/** Secrets are stored under less than the pair of client and PolicyData. */
const keptUnder = (scopeOf: (scope: SecretsScope) => SecretsScope) => (markFired: MarkFired) => ({
  taskDeps: ((deps) => ({
    ...deps,
    secrets: {
      ...deps.secrets,
      put: async (scope, envelope, right) => {
        await deps.secrets.put(scopeOf(scope), envelope)
        return deps.secrets.put(scope, envelope, right)
      },
      get: async (scope) => {
        const shared = await deps.secrets.get(scopeOf(scope))
        const own = await deps.secrets.get(scope)
        if (shared !== undefined && shared !== own) markFired()
        return shared ?? own
      },
    },
  })) satisfies NonNullable<ReturnType<NonNullable<Mutant['parts']>>['taskDeps']>,
})

/** The oracle gets other bytes than the sealed ones. */
const givenAs = (change: (plaintext: string) => string | undefined) => (markFired: MarkFired) =>
  oracleRun((run, pass) => {
    if (run.secrets === undefined) return pass(run)
    markFired()
    const given = change(Buffer.from(run.secrets).toString())
    return pass({ ...run, secrets: given === undefined ? undefined : Buffer.from(given) })
  })

/** Faults in the handling of secrets (sections 2.7 and 5.3). */
export const secretsHandlingMutants: readonly Mutant[] = [
  {
    id: 'secrets.by-client-alone',
    fault: 'stores secrets by client instead of by client and PolicyData',
    clauses: ['1-16', '2.7-09', '2.7-10', '2.7-11', '5.3-10'],
    parts: keptUnder((scope) => ({ ...scope, policyDataAddress: nobody })),
  },
  {
    id: 'secrets.by-policy-data-alone',
    fault: 'stores secrets by PolicyData instead of by client and PolicyData',
    clauses: ['1-16', '5.3-10'],
    parts: keptUnder((scope) => ({ ...scope, policyClient: nobody })),
  },
  {
    id: 'secrets.wrapped',
    fault: 'passes the oracle its secrets inside another object',
    clauses: ['1-15', '2.7-08'],
    parts: givenAs((plaintext) => `{"secrets":${plaintext}}`),
  },
  {
    id: 'secrets.names-lowered',
    fault: 'passes the oracle the names of its secrets in lower case',
    clauses: ['2.7-08'],
    parts: givenAs((plaintext) => {
      const secrets = Object.entries(JSON.parse(plaintext) as Json)
      return JSON.stringify(
        Object.fromEntries(secrets.map(([name, value]) => [name.toLowerCase(), value])),
      )
    }),
  },
  {
    id: 'secrets.get-gives-none',
    fault: 'opens secrets but does not pass them to the oracle',
    clauses: ['5.3-07', '1-15'],
    parts: givenAs(() => undefined),
  },
  {
    id: 'secrets.of-the-first-run',
    fault: 'passes every run of a component the secrets of the first',
    clauses: ['5.3-10', '1-16'],
    parts: (markFired) => {
      const first = new Map<string, Uint8Array>()
      return oracleRun((run, pass) => {
        if (run.secrets === undefined) return pass(run)
        const kept = first.get(run.cid) ?? Uint8Array.from(run.secrets)
        first.set(run.cid, kept)
        if (Buffer.compare(kept, run.secrets) !== 0) markFired()
        return pass({ ...run, secrets: Uint8Array.from(kept) })
      })
    },
  },
  {
    id: 'secrets.not-in-tasks',
    fault: 'opens stored secrets in simulations but not in tasks',
    clauses: ['5.3-04'],
    parts: (markFired) =>
      dataStage((request, pass) => {
        if (request.referenceBlock === undefined) return pass(request)
        const sources = request.sources.map((source) => {
          if (source.envelope !== null) markFired()
          return { ...source, envelope: null }
        })
        return pass({ ...request, sources })
      }),
  },
  {
    id: 'secrets.another-suite',
    fault: 'opens envelopes in another suite than the published one',
    clauses: ['5.3-01', '5.3-03'],
    parts: (markFired) =>
      uploadStage(async () => {
        markFired()
        throw uploadRefused('the envelope cannot be opened')
      }),
  },
  {
    id: 'secrets.suite-string-wrong',
    fault: 'publishes another suite with the secrets key',
    clauses: ['4.10-05'],
    parts: changedResult('getSecretsPublicKey', (result) => ({
      ...result,
      encryption_suite: 'HPKE-Base-X25519-HKDF-SHA256-AES128GCM',
    })),
  },
  {
    id: 'secrets.privacy-key-served',
    fault: 'serves the privacy key as the secrets key',
    clauses: ['5.3-02'],
    parts: (markFired) => ({
      gateway: (deps) => ({
        ...deps,
        encryptionKeys: {
          get privacyPublicKey() {
            return deps.encryptionKeys.privacyPublicKey
          },
          get secretsPublicKey() {
            markFired()
            return deps.encryptionKeys.privacyPublicKey
          },
        },
      }),
    }),
  },
  ((): Mutant => {
    let key: Promise<EncryptionKey> | undefined
    return {
      id: 'secrets.privacy-key-accepted',
      fault: 'stores secrets sealed to the privacy key',
      clauses: ['5.3-02'],
      config: (config) => {
        const { privacy } = config.keys ?? {}
        if (privacy !== undefined) key = loadEncryptionKey(privacy)
        return config
      },
      parts: (markFired) =>
        uploadStage((request, pass) =>
          pass(request).catch(async (error: unknown) => {
            const { policyClient, envelope } = request
            if (key === undefined) throw error
            const { chain_id: chainId } = parseEnvelope(envelope)
            await openSecrets({ envelope, key: await key, policyClient, chainId }).catch(() => {
              throw error
            })
            markFired()
            return { schema: '{}' }
          }),
        ),
    }
  })(),
  {
    id: 'secrets.told-in-errors',
    fault: 'returns an oracle’s error with the secrets in it',
    clauses: ['5.3-06', '5.3-08'],
    parts: (markFired) =>
      oracleRun((run, pass) => {
        const held = run.secrets === undefined ? undefined : Buffer.from(run.secrets).toString()
        return pass(run).catch((error: unknown) => {
          if (held === undefined || !(error instanceof OracleError)) throw error
          markFired()
          const values = Object.values(JSON.parse(held) as Json).join(' ')
          throw new OracleError(error.code, `${error.details} (with ${values})`)
        })
      }),
  },
  {
    id: 'secrets.output-quoted',
    fault: 'quotes the secret if the output of its oracle is not JSON',
    clauses: ['5.3-08'],
    parts: (markFired) =>
      oracleRun((run, pass) => {
        const held = run.secrets === undefined ? undefined : Buffer.from(run.secrets).toString()
        return pass(run).catch((error: unknown) => {
          if (held === undefined || !(error instanceof OracleError) || error.code !== 'not-json')
            throw error
          markFired()
          const [value] = Object.values(JSON.parse(held) as Json)
          throw new OracleError(error.code, `unexpected token in ${value}`)
        })
      }),
  },
  {
    id: 'secrets.misfit-told',
    fault: 'returns the value that violates the schema',
    clauses: ['5.3-08'],
    parts: (markFired) =>
      secretsCheck((upload, pass) =>
        pass(upload).catch((error: unknown) => {
          if (!(error instanceof ServiceError)) throw error
          markFired()
          throw uploadRefused(`${error.message.replace(/^[^:]*: /, '')}: ${upload.secrets}`)
        }),
      ),
  },
]
