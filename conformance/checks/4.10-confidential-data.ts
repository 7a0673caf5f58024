import { registerProvider, removeProvider } from 'polgate-chain/confidentialDataRegistry.ts'
import type { Hex } from 'viem'
import type { Check } from '../core/check.ts'
import { Untestable } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual } from '../core/expect.ts'
import { strangersKey } from '../crypto/envelope.ts'
import { expectOperationalFailure, expectResultObject } from '../kit/assertions/expectAnswer.ts'
import { expectDecided, observed } from '../kit/assertions/observed.ts'
import * as shape from '../kit/assertions/shape.ts'
import { expectShape } from '../kit/assertions/shape.ts'
import { transactorOf } from '../kit/scenarios/newClient.ts'
import { failureOf } from '../kit/scenarios/requests.ts'
import {
  acceptedConfidential,
  acceptedIdentity,
  confidentialNeeds,
  confidentialParams,
  expectKept,
  expectNoData,
  freshDomain,
  identityNeeds,
  newOwner,
  providerOf,
  referenceOf,
  uploadConfidential,
} from '../kit/scenarios/sealedData.ts'

/** Section 4.10: confidential data of providers registered on chain. */
const needs = confidentialNeeds

const getConfidential = (t: CheckContext, data_ref_id: unknown) =>
  t.gateway.call('getConfidentialData', { data_ref_id })

/**
 * Changes the target's provider registry as its owner; untestable if the owner's key is unknown.
 */
async function asRegistryOwner<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw new Untestable(`the owner cannot change the registry: ${(error as Error).message}`)
  }
}

export const confidentialData: readonly Check[] = [
  {
    // 4.10-28: The result of uploadConfidentialData has success, and data_ref_id on success.
    // 4.10-24: provider is registered on the confidential-data registry; another is refused.
    id: 'rpc.uploadConfidential.accepted',
    title: 'data of a registered provider is stored, under a reference',
    clauses: ['4.10-28', '4.10-24'],
    level: 'must',
    needs,
    run: async (t) => {
      const { params, result } = await acceptedConfidential(t)
      const hash = referenceOf(params.envelope)
      t.observe(
        `data_ref_id is ${String(result.data_ref_id).toLowerCase() === hash ? '' : 'not '}the hash of the envelope`,
      )
      expectDecided(t, 'data-ref-id', 'data_ref_id', result.data_ref_id, { hash })
    },
  },
  {
    // 4.10-31: getConfidentialData returns the envelope as uploaded, and data_type, a string.
    // 4.10-30: getConfidentialData needs RpcRead.
    // 4.10-28: The result of uploadConfidentialData has success, and data_ref_id on success.
    id: 'rpc.getConfidential.given',
    title: 'getConfidentialData returns the uploaded envelope unchanged, and a type',
    clauses: ['4.10-31', '4.10-30', '4.10-28'],
    level: 'must',
    needs,
    run: async (t) => {
      const { params, result } = await acceptedConfidential(t)
      const given = expectResultObject(await getConfidential(t, result.data_ref_id))
      expectEqual(given.envelope, params.envelope, 'the envelope')
      expectShape(given, { data_type: shape.string }, 'result')
      t.observe(`data_type is ${String(given.data_type)}`)
    },
  },
  {
    // 4.10-41: Whether an upload sealed to a key other than the privacy key is refused.
    id: 'rpc.uploadConfidential.other-key',
    title: 'confidential data sealed to another key than the privacy key is refused',
    clauses: ['4.10-41'],
    level: 'may',
    needs,
    twin: 'data that is sealed to the privacy key',
    run: async (t) => {
      await t.twin(() => acceptedConfidential(t))
      const change = { recipient: await strangersKey() }
      const params = await confidentialParams(t, providerOf(t), change)
      const failure = failureOf(await uploadConfidential(t, params))
      observed(
        t,
        'answer',
        'confidential data that is sealed to another key',
        failure ?? 'accepted',
      )
    },
  },
  {
    // 4.10-24: provider is registered on the confidential-data registry; another is refused.
    // 4.10-29: A failed confidential upload has an error string.
    // 4.10-21: An unknown reference returns no data.
    id: 'rpc.uploadConfidential.unregistered',
    title: 'an unregistered provider is refused, and nothing is stored',
    clauses: ['4.10-24', '4.10-29', '4.10-21'],
    level: 'must',
    needs,
    twin: 'the same upload of a registered provider',
    run: async (t) => {
      await t.twin(() => acceptedConfidential(t))
      const params = await confidentialParams(t, newOwner().address)
      const { error } = expectOperationalFailure(await uploadConfidential(t, params), /\S/)
      t.observe(`a provider that is not registered: ${error}`)
      expectNoData(t, await getConfidential(t, referenceOf(params.envelope)))
    },
  },
  {
    // 4.10-24: provider is registered on the confidential-data registry; another is refused.
    // 4.10-29: A failed confidential upload has an error string.
    id: 'rpc.uploadConfidential.registered-later',
    title: 'a registration on chain applies from the next upload, and so does its removal',
    clauses: ['4.10-24', '4.10-29'],
    level: 'must',
    needs: [...needs, 'owner'],
    twin: 'the upload while the provider is registered',
    exclusive: true,
    run: async (t) => {
      await acceptedConfidential(t)
      const registry = t.target.chain?.confidentialDataRegistry
      const provider = t.target.accounts?.owner?.address
      if (registry === undefined || provider === undefined)
        throw new Untestable('the target has no registry, or no owner')
      const owner = await transactorOf(t)
      const upload = async (account: Hex) =>
        uploadConfidential(t, await confidentialParams(t, account))
      expectOperationalFailure(await upload(provider), /\S/)
      await asRegistryOwner(() =>
        registerProvider(owner, registry, { provider, dataType: 'of-a-check' }),
      )
      try {
        const { data_ref_id } = await t.twin(async () => expectKept(await upload(provider)))
        const given = expectResultObject(await getConfidential(t, data_ref_id))
        expectDecided(t, 'data-type', 'data_type', given.data_type)
      } finally {
        await t.cleanup(() => asRegistryOwner(() => removeProvider(owner, registry, provider)))
      }
      expectOperationalFailure(await upload(provider), /\S/)
    },
  },
  {
    // 4.10-21: An unknown reference returns no data.
    // 4.10-38: The response for an unknown reference.
    id: 'rpc.getConfidential.unknown',
    title: 'an unknown reference returns no data',
    clauses: ['4.10-21', '4.10-38'],
    level: 'must',
    needs,
    twin: 'the reference of an upload',
    run: async (t) => {
      await t.twin(() => acceptedConfidential(t))
      expectNoData(t, await getConfidential(t, freshDomain()))
    },
  },
  {
    // 4.10-40: Identity data and confidential data are separate: a reference of one kind is unknown
    //   to the other.
    // 4.10-21: An unknown reference returns no data.
    id: 'rpc.sealedData.kinds',
    title: 'identity data is not returned as confidential data, nor vice versa',
    clauses: ['4.10-40', '4.10-21'],
    level: 'must',
    needs: [...new Set([...needs, ...identityNeeds])],
    twin: 'each reference with its own getter',
    run: async (t) => {
      const [identity, confidential] = await t.twin(async () => {
        const one = (await acceptedIdentity(t)).result.data_ref_id
        const other = (await acceptedConfidential(t)).result.data_ref_id
        expectResultObject(await getConfidential(t, other))
        expectResultObject(await t.gateway.call('getIdentityEncrypted', { data_ref_id: one }))
        return [one, other] as const
      })
      expectNoData(t, await getConfidential(t, identity))
      expectNoData(t, await t.gateway.call('getIdentityEncrypted', { data_ref_id: confidential }))
    },
  },
  {
    // 4.10-36: Whether the same envelope may be uploaded twice.
    // 4.10-37: The response to an upload for another chain.
    id: 'rpc.uploadConfidential.observed.again',
    title: 'observed: the same upload twice, and for another chain',
    clauses: ['4.10-36', '4.10-37'],
    level: 'may',
    needs,
    run: async (t) => {
      const { params } = await acceptedConfidential(t)
      const again = failureOf(await uploadConfidential(t, params))
      observed(t, 'again', 'the same upload twice', again ?? 'accepted')
      const elsewhere = { ...(await confidentialParams(t)), chain_id: params.chain_id + 1 }
      const refused = failureOf(await uploadConfidential(t, elsewhere))
      observed(t, 'other-chain', 'confidential data for another chain', refused ?? 'accepted')
    },
  },
]
