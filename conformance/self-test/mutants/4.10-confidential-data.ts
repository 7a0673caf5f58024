import { needingToo, unchecked } from './keyFaults.ts'
import type { Mutant } from './mutant.ts'
import { changedAnswer, changedResult } from './wrappedListeners.ts'

const upload = 'uploadConfidentialData'
const get = 'getConfidentialData'

/** Faults in uploads and reads of confidential data (section 4.10). */
export const confidentialMutants: readonly Mutant[] = [
  {
    id: 'confidential.upload-needs-read-too',
    fault: 'requires RpcRead in addition to RpcWrite for a confidential upload',
    clauses: ['4.10-22'],
    parts: needingToo([upload], 'RpcRead'),
  },
  {
    id: 'confidential.provider-unchecked',
    fault: 'accepts an upload without a valid provider',
    clauses: ['4.10-23'],
    parts: unchecked(upload, 'provider'),
  },
  {
    id: 'confidential.domain-unchecked',
    fault: 'accepts an upload without 32 bytes as domain',
    clauses: ['4.10-25'],
    parts: unchecked(upload, 'domain'),
  },
  {
    id: 'confidential.envelope-of-any-type',
    fault: 'accepts an upload without a string as envelope',
    clauses: ['4.10-26'],
    parts: unchecked(upload, 'envelope'),
  },
  {
    id: 'confidential.chain-unchecked',
    fault: 'uses the chain of the gateway if chain_id is invalid',
    clauses: ['4.10-27'],
    parts: unchecked(upload, 'chain_id'),
  },
  {
    id: 'confidential.any-provider',
    fault: 'accepts data of a provider that is not registered',
    clauses: ['4.10-24', '4.10-21'],
    parts: (markFired) => ({
      sealedDataDeps: (deps) => ({
        ...deps,
        chain: {
          ...deps.chain,
          providerDataType: async (provider) => {
            const type = await deps.chain.providerDataType(provider)
            if (type === undefined) markFired()
            return type ?? 'unknown'
          },
        },
      }),
      sealedData: (service) => ({
        ...service,
        uploadConfidential: (params, caller) => {
          const provider = params.provider.toLowerCase() as `0x${string}`
          return service.uploadConfidential(params, {
            ...caller,
            owners: [...caller.owners, provider],
          })
        },
      }),
    }),
  },
  {
    id: 'confidential.registry-cached',
    fault: 'does not query the registry again for a known provider',
    clauses: ['4.10-24'],
    parts: (markFired) => ({
      sealedDataDeps: (deps) => {
        const types = new Map<string, string>()
        return {
          ...deps,
          chain: {
            ...deps.chain,
            providerDataType: async (provider) => {
              const known = types.get(provider)
              if (known !== undefined) markFired()
              const type = known ?? (await deps.chain.providerDataType(provider))
              if (type !== undefined) types.set(provider, type)
              return type
            },
          },
        }
      },
    }),
  },
  {
    id: 'confidential.no-reference',
    fault: 'answers an upload with success only',
    clauses: ['4.10-28'],
    parts: changedResult(upload, ({ success }) => ({ success })),
  },
  {
    id: 'confidential.no-success',
    fault: 'answers an upload with the reference only',
    clauses: ['4.10-28'],
    parts: changedResult(upload, ({ success, data_ref_id, ...rest }) =>
      success ? { data_ref_id } : { success, data_ref_id, ...rest },
    ),
  },
  {
    id: 'confidential.failure-without-error',
    fault: 'does not return why an upload failed',
    clauses: ['4.10-29'],
    parts: changedResult(upload, (result) =>
      result.success ? result : { ...result, error: null },
    ),
  },
  {
    id: 'confidential.reference-left-out',
    fault: 'returns no data_ref_id for an upload',
    clauses: ['4.10-28'],
    parts: changedResult(upload, ({ data_ref_id: _, ...result }) => result),
  },
  {
    id: 'confidential.reference-of-31-bytes',
    fault: 'returns a data_ref_id without its last byte',
    clauses: ['4.10-28'],
    parts: changedResult(upload, (result) =>
      result.success ? { ...result, data_ref_id: result.data_ref_id.slice(0, -2) } : result,
    ),
  },
  {
    id: 'confidential.read-needs-write',
    fault: 'requires RpcWrite to read confidential data',
    clauses: ['4.10-30'],
    parts: needingToo([get], 'RpcWrite'),
  },
  {
    id: 'confidential.no-type',
    fault: 'returns confidential data without its type',
    clauses: ['4.10-31'],
    parts: changedResult(get, ({ envelope }) => ({ envelope })),
  },
  {
    id: 'confidential.envelope-parsed',
    fault: 'returns the envelope as an object',
    clauses: ['4.10-31'],
    parts: changedResult(get, (result) => ({ ...result, envelope: JSON.parse(result.envelope) })),
  },
  {
    id: 'confidential.reference-unchecked',
    fault: 'returns the last data if data_ref_id is not a string',
    clauses: ['4.10-19'],
    parts: unchecked(get, 'data_ref_id'),
  },
  {
    id: 'confidential.unknown-is-null',
    fault: 'answers an unknown reference with an empty envelope',
    clauses: ['4.10-21'],
    parts: changedAnswer(get, (answer) =>
      answer.error === undefined ||
      /Invalid request format: data_ref_id must/.test(answer.error.message)
        ? answer
        : { jsonrpc: answer.jsonrpc, result: { envelope: '', data_type: '' }, id: answer.id },
    ),
  },
  {
    id: 'confidential.identity-given',
    fault: 'returns identity data as confidential data',
    clauses: ['4.10-40'],
    parts: (markFired) => ({
      sealedDataDeps: (deps) => ({
        ...deps,
        store: {
          ...deps.store,
          confidential: async (reference) => {
            const own = await deps.store.confidential(reference)
            const other = own === undefined ? await deps.store.identity(reference) : undefined
            if (other === undefined) return own
            markFired()
            const { identityOwner: provider, identityDomain: domain, ...rest } = other
            return { provider, domain, dataType: 'identity', ...rest }
          },
        },
      }),
    }),
  },
]
