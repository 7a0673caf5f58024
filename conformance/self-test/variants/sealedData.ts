import { identityDomainOf, identityRegistration } from 'polgate-chain/identityRegistry.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type { UploadConfidentialDataResult } from 'polgate-protocol/methods/uploadConfidentialData.ts'
import type { UploadIdentityEncryptedResult } from 'polgate-protocol/methods/uploadIdentityEncrypted.ts'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import { invalidFormat, ServiceError } from 'polgate-protocol/serviceError.ts'
import { dataReferenceOf } from 'polgate-service/envelopes/dataReference.ts'
import { loadEncryptionKey } from 'polgate-service/envelopes/encryptionKey.ts'
import { openEnvelope, parseEnvelope } from 'polgate-service/envelopes/envelope.ts'
import { isSignedByOwner } from 'polgate-service/sealedData/ownerSignature.ts'
import type { SealedDataDeps } from 'polgate-service/sealedData/sealedDataDeps.ts'
import { unknownReference } from 'polgate-service/sealedData/sealedDataErrors.ts'
import type { SealedDataService } from 'polgate-service/sealedData/sealedDataService.ts'
import { registrationSeconds } from 'polgate-service/sealedData/uploadIdentity.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import {
  changedAnswer,
  changedMember,
  changedResult,
  type Json,
} from '../mutants/wrappedListeners.ts'
import { secretsVariants } from './secrets.ts'
import { secretsRunVariants } from './secretsRuns.ts'
import { composedParts, type Variant } from './variant.ts'

/** Other choices for sealed data: identity and confidential data (section 4.10), and secrets. */

const unmarked = () => undefined

const getters = ['getIdentityEncrypted', 'getConfidentialData'] as const

/** The service of sealed data, changed by what it is made from. */
const service =
  (
    change: (own: SealedDataService, deps: () => SealedDataDeps) => Partial<SealedDataService>,
  ): NonNullable<Variant['parts']> =>
  () => {
    let deps: SealedDataDeps | undefined
    return {
      sealedDataDeps: (given) => {
        deps = given
        return given
      },
      sealedData: (own) => ({ ...own, ...change(own, () => deps!) }),
    }
  }

/** Registrations are valid for another time. */
const deadlineAfter = (seconds: number) => (): ServiceParts => ({
  sealedDataDeps: (deps) => ({
    ...deps,
    chain: {
      ...deps.chain,
      // Read for the deadline only.
      now: async () => (await deps.chain.now()) - registrationSeconds + seconds,
    },
  }),
})

/** The response to an unknown reference. */
function unknownAs(response: (message: string) => Json): NonNullable<Variant['parts']> {
  const each = getters.map((getter) =>
    changedAnswer(getter, (answer) =>
      /^No (identity|confidential) data found/.test(answer?.error?.message)
        ? { jsonrpc: answer.jsonrpc, ...response(answer.error.message), id: answer.id }
        : answer,
    ),
  )
  return () => composedParts(each.map((parts) => parts(unmarked)))
}

function isEnvelope(text: string): boolean {
  try {
    parseEnvelope(text)
    return true
  } catch {
    return false
  }
}

type IdentityUpload = Parameters<SealedDataService['uploadIdentity']>

/** Stores any data that its owner has signed. */
async function uploadUnread(
  { store, chain, signer }: SealedDataDeps,
  ...[params, { keyId }]: IdentityUpload
): Promise<UploadIdentityEncryptedResult | undefined> {
  const { envelope, identity_owner_sig: signature } = params
  const identityOwner = params.identity_owner.toLowerCase() as Address
  const identityDomain = params.identity_domain.toLowerCase() as Bytes32
  if (!(await isSignedByOwner(chain, { owner: identityOwner, signature, envelope })))
    return undefined
  const dataRefId = dataReferenceOf(envelope)
  const { chainId } = chain
  await store.keepIdentity(
    { dataRefId, keyId },
    { identityOwner, identityDomain, chainId, envelope },
  )
  const deadline = (await chain.now()) + registrationSeconds
  const gateway_signature = await signer.signTypedData({
    domain: identityDomainOf(chainId, chain.identityRegistry()),
    ...identityRegistration,
    message: { identityOwner, identityDomain, dataRefId, deadline: BigInt(deadline) },
  })
  return { data_ref_id: dataRefId, gateway_signature, deadline }
}

const refused = (error: string): UploadConfidentialDataResult => ({
  success: false,
  data_ref_id: null,
  error,
})

const isLower = (reference: string) => reference === reference.toLowerCase()
const upper = (reference: string) => `0x${reference.slice(2).toUpperCase()}`

export const sealedDataVariants: readonly Variant[] = [
  {
    id: 'private.unopened',
    choice: 'opens no private data: policies that read it fail',
    clauses: ['4.10-43', '4.10-44', '4.10-45', '4.10-46', '4.10-47'],
    alone: true,
    parts: () => ({ taskDeps: (deps) => ({ ...deps, privateData: undefined }) }),
  },
  ...secretsVariants,
  ...secretsRunVariants,
  {
    // Before those that sign registrations themselves.
    id: 'sealed.references-in-upper-case',
    clauses: ['4.10-42'],
    choice: 'writes references in upper case, also where it signs them',
    parts: () =>
      composedParts([
        {
          sealedDataDeps: (deps) => ({
            ...deps,
            signer: {
              signTypedData: (typed) => {
                const { dataRefId, ...rest } = Object(typed.message)
                const message = { ...rest, dataRefId: upper(dataRefId) }
                return deps.signer.signTypedData({ ...typed, message } as typeof typed)
              },
            },
          }),
        },
        ...['uploadIdentityEncrypted', 'uploadConfidentialData'].map((method) =>
          changedResult(method, (result) =>
            typeof result.data_ref_id === 'string'
              ? { ...result, data_ref_id: upper(result.data_ref_id) }
              : result,
          )(unmarked),
        ),
        ...getters.map((getter) =>
          changedMember(getter, 'data_ref_id', (reference) =>
            typeof reference === 'string' && reference === upper(reference)
              ? reference.toLowerCase()
              : reference,
          )(unmarked),
        ),
      ]),
  },
  {
    id: 'sealed.short-deadline',
    clauses: ['4.10-35'],
    choice: 'gives an identity owner 30 seconds to register its data',
    parts: deadlineAfter(30),
  },
  {
    id: 'sealed.long-deadline',
    clauses: ['4.10-35'],
    choice: 'gives an identity owner 30 days to register its data',
    parts: deadlineAfter(30 * 86_400),
  },
  {
    id: 'sealed.once',
    clauses: ['4.10-36'],
    choice: 'refuses an envelope that is stored already',
    parts: service((own, deps) => ({
      uploadIdentity: async (params, caller) => {
        const stored = await deps().store.identity(dataReferenceOf(params.envelope))
        if (stored !== undefined) throw invalidFormat('envelope is stored already')
        return own.uploadIdentity(params, caller)
      },
      uploadConfidential: async (params, caller) => {
        const stored = await deps().store.confidential(dataReferenceOf(params.envelope))
        if (stored !== undefined) return refused('the envelope is stored already')
        return own.uploadConfidential(params, caller)
      },
    })),
  },
  {
    id: 'sealed.any-chain',
    clauses: ['4.10-37'],
    choice: 'stores data for a chain that it does not serve',
    parts: service((own, deps) => ({
      uploadIdentity: (params, caller) =>
        own.uploadIdentity({ ...params, chain_id: deps().chain.chainId }, caller),
      uploadConfidential: (params, caller) =>
        own.uploadConfidential({ ...params, chain_id: deps().chain.chainId }, caller),
    })),
  },
  {
    id: 'sealed.other-chain-unserved',
    clauses: ['4.10-37'],
    choice: 'refuses data for another chain as a contract error, or without success',
    parts: service((own, deps) => ({
      uploadIdentity: async (params, caller) => {
        if (params.chain_id !== deps().chain.chainId)
          throw new ServiceError(`chain ${params.chain_id} is not served`, {
            code: errorCode.contract,
            clause: 'section 4.10',
            hint: 'Use the chain of this gateway.',
          })
        return own.uploadIdentity(params, caller)
      },
      uploadConfidential: async (params, caller) =>
        params.chain_id === deps().chain.chainId
          ? own.uploadConfidential(params, caller)
          : refused(`chain ${params.chain_id} is not served`),
    })),
  },
  {
    id: 'sealed.unknown-is-null',
    clauses: ['4.10-38'],
    choice: 'answers an unknown reference with null',
    parts: unknownAs(() => ({ result: null })),
  },
  {
    id: 'sealed.unknown-as-failure',
    clauses: ['4.10-38'],
    choice: 'answers an unknown reference with a result that is not a success',
    parts: unknownAs((error) => ({ result: { success: false, envelope: null, error } })),
  },
  {
    id: 'sealed.unknown-as-own-code',
    clauses: ['4.10-38'],
    choice: 'answers an unknown reference with an error code of its own',
    parts: unknownAs(() => ({ error: { code: -32004, message: 'Data not found' } })),
  },
  {
    id: 'sealed.unread',
    clauses: ['4.10-39'],
    choice: 'stores any text as identity data that its owner signed',
    parts: service((own, deps) => ({
      uploadIdentity: async (params, caller) => {
        const isOther = !isEnvelope(params.envelope) && params.chain_id === deps().chain.chainId
        return (
          (isOther ? await uploadUnread(deps(), params, caller) : undefined) ??
          own.uploadIdentity(params, caller)
        )
      },
    })),
  },
  ((): Variant => {
    let keys: ServiceConfigInput['keys'] | undefined
    return {
      id: 'sealed.opened',
      clauses: ['4.10-39'],
      choice: 'refuses identity data that it cannot open at upload',
      config: (config) => {
        keys = config.keys
        return config
      },
      parts: service((own, deps) => ({
        uploadIdentity: async (params, caller) => {
          const { envelope } = params
          const { chainId } = deps().chain
          const opens = [keys?.privacy, keys?.secrets].map(async (secret = '') =>
            openEnvelope({
              ...{ envelope, chainId, key: await loadEncryptionKey(secret) },
              policyClient: parseEnvelope(envelope).policy_client,
            }),
          )
          await Promise.any(opens).catch(() => {
            throw invalidFormat('envelope does not open')
          })
          return own.uploadIdentity(params, caller)
        },
      })),
    }
  })(),
  {
    id: 'sealed.general-form-only',
    clauses: ['4.10-48'],
    choice: 'announces no forms of envelopes with its public keys',
    parts: () =>
      composedParts(
        ['getSecretsPublicKey', 'getPrivacyPublicKey'].map((name) =>
          changedResult(name, ({ envelope_forms: _, ...key }) => key)(unmarked),
        ),
      ),
  },
  {
    id: 'sealed.exact-references',
    clauses: ['4.10-42'],
    choice: 'knows a reference only in lower case',
    parts: service((own) => ({
      getIdentity: async (params) => {
        if (!isLower(params.data_ref_id)) throw unknownReference('identity', params.data_ref_id)
        return own.getIdentity(params)
      },
      getConfidential: async (params) => {
        if (isLower(params.data_ref_id)) return own.getConfidential(params)
        throw unknownReference('confidential', params.data_ref_id)
      },
    })),
  },
]
