import type { Hex } from 'viem'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectThat } from '../core/expect.ts'
import { strangersKey } from '../crypto/envelope.ts'
import { flipLast } from '../crypto/flipLast.ts'
import { expectResultObject } from '../kit/assertions/expectAnswer.ts'
import { expectHex } from '../kit/assertions/hex.ts'
import { observed } from '../kit/assertions/observed.ts'
import { chainIdOf, failureOf } from '../kit/scenarios/requests.ts'
import {
  acceptedIdentity,
  envelopeOf,
  expectNoData,
  expectUploaded,
  freshDomain,
  identityNeeds,
  identityParams,
  newOwner,
  referenceOf,
  type UploadedIdentity,
  uploadIdentity,
} from '../kit/scenarios/sealedData.ts'

/** Section 4.10: identity data, uploaded and returned. */
const needs = identityNeeds

const getIdentity = (t: CheckContext, data_ref_id: unknown) =>
  t.gateway.call('getIdentityEncrypted', { data_ref_id })

/** The returned data equals the uploaded data; addresses and hex may differ in case. */
async function expectGiven(t: CheckContext, { params, result }: UploadedIdentity) {
  const given = expectResultObject(await getIdentity(t, result.data_ref_id))
  expectEqual(given.envelope, params.envelope, 'the envelope')
  expectHex(given.identity_domain, params.identity_domain, 'identity_domain')
  expectHex(given.identity_owner, params.identity_owner, 'identity_owner')
}

export const identityData: readonly Check[] = [
  {
    // 4.10-15: data_ref_id is the keccak-256 hash of the bytes of the envelope string as it was
    //   sent.
    // 4.10-16: The result has gateway_signature, which the on-chain registry accepts.
    // 4.10-17: deadline is in unix seconds and in the future.
    id: 'rpc.uploadIdentity.reference',
    title: 'data_ref_id is the keccak-256 hash of the envelope as sent',
    clauses: ['4.10-15', '4.10-16', '4.10-17'],
    level: 'must',
    needs,
    run: async (t) => {
      const { params, result } = await acceptedIdentity(t)
      expectHex(result.data_ref_id, referenceOf(params.envelope), 'data_ref_id')
    },
  },
  {
    // 4.10-15: data_ref_id is the keccak-256 hash of the bytes of the envelope string as it was
    //   sent.
    // 4.10-20: getIdentityEncrypted returns envelope, identity_domain and identity_owner as
    //   uploaded.
    id: 'rpc.uploadIdentity.exact-bytes',
    title: 'spaces, order and escapes of the envelope are preserved, in the hash and in the result',
    clauses: ['4.10-15', '4.10-20'],
    level: 'must',
    needs,
    run: async (t) => {
      await acceptedIdentity(t)
      const params = await identityParams(t, newOwner(), (envelope) => {
        const { chain_id, ...rest } = envelope
        const spaced = JSON.stringify({ chain_id, ...rest }, null, 1)
        return ` ${spaced.replace('"enc"', '"\\u0065nc"')}\n`
      })
      const result = expectUploaded(await uploadIdentity(t, params))
      expectHex(result.data_ref_id, referenceOf(params.envelope), 'data_ref_id')
      await expectGiven(t, { params, result })
    },
  },
  {
    // 4.10-20: getIdentityEncrypted returns envelope, identity_domain and identity_owner as
    //   uploaded.
    // 4.10-18: getIdentityEncrypted needs RpcRead.
    id: 'rpc.getIdentity.given',
    title: 'getIdentityEncrypted returns the uploaded data',
    clauses: ['4.10-20', '4.10-18'],
    level: 'must',
    needs,
    run: async (t) => expectGiven(t, await acceptedIdentity(t)),
  },
  {
    // 4.10-42: Whether a reference is matched without regard to case.
    id: 'rpc.getIdentity.letter-case',
    title: 'observed: a reference with its letters in the other case',
    clauses: ['4.10-42'],
    level: 'may',
    needs,
    run: async (t) => {
      const { params, result } = await acceptedIdentity(t)
      const known = String(result.data_ref_id)
      const upper = `0x${known.slice(2).toUpperCase()}`
      const answer = await getIdentity(t, upper === known ? known.toLowerCase() : upper)
      const same = envelopeOf(answer) === params.envelope
      if (!same) expectNoData(t, answer)
      observed(t, 'same-reference', 'a reference in the other case is the same', same)
    },
  },
  {
    // 4.10-21: An unknown reference returns no data.
    // 4.10-19: data_ref_id of the two getters is required and a String.
    // 4.10-38: The response for an unknown reference.
    id: 'rpc.getIdentity.unknown',
    title: 'an unknown reference returns no data, in several formats',
    clauses: ['4.10-21', '4.10-19', '4.10-38'],
    level: 'must',
    needs,
    twin: 'the reference of an upload',
    run: async (t) => {
      const { result } = await t.twin(() => acceptedIdentity(t))
      const known = String(result.data_ref_id)
      const references = [freshDomain(), `0x${'00'.repeat(32)}`, flipLast(known as Hex)]
      for (const reference of references) expectNoData(t, await getIdentity(t, reference))
    },
  },
  {
    // 4.10-36: Whether the same envelope may be uploaded twice.
    id: 'rpc.uploadIdentity.observed.again',
    title: 'observed: the same upload twice',
    clauses: ['4.10-36'],
    level: 'may',
    needs,
    run: async (t) => {
      const uploaded = await acceptedIdentity(t)
      const answer = await uploadIdentity(t, uploaded.params)
      observed(t, 'again', 'the same identity upload twice', failureOf(answer) ?? 'accepted')
      await expectGiven(t, uploaded)
    },
  },
  {
    // 4.10-37: The response to an upload for another chain.
    id: 'rpc.uploadIdentity.observed.chain',
    title: 'observed: an upload for another chain',
    clauses: ['4.10-37'],
    level: 'may',
    needs,
    run: async (t) => {
      await acceptedIdentity(t)
      const params = { ...(await identityParams(t)), chain_id: chainIdOf(t) + 1 }
      const failure = failureOf(await uploadIdentity(t, params))
      observed(t, 'other-chain', 'identity data for another chain', failure ?? 'accepted')
    },
  },
  {
    // 4.10-41: Whether an upload sealed to a key other than the privacy key is refused.
    id: 'rpc.uploadIdentity.other-key',
    title: 'identity data sealed to another key than the privacy key is refused',
    clauses: ['4.10-41'],
    level: 'may',
    needs,
    twin: 'data that is sealed to the privacy key',
    run: async (t) => {
      await t.twin(() => acceptedIdentity(t))
      const change = { recipient: await strangersKey() }
      const params = await identityParams(t, newOwner(), JSON.stringify, change)
      const failure = failureOf(await uploadIdentity(t, params))
      observed(t, 'answer', 'identity data that is sealed to another key', failure ?? 'accepted')
    },
  },
  {
    // 4.10-39: Whether an identity envelope is parsed or opened at upload.
    id: 'rpc.uploadIdentity.observed.unread',
    title: 'observed: whether a text that is not an envelope is accepted if its owner signed it',
    clauses: ['4.10-39'],
    level: 'may',
    needs,
    run: async (t) => {
      await acceptedIdentity(t)
      const params = await identityParams(t, newOwner(), () => '{"note":"not sealed"}')
      const answer = await uploadIdentity(t, params)
      expectThat(answer.status < 500, 'the HTTP status', 'below 500', answer.status)
      t.observe(`a signed text that is not an envelope: ${failureOf(answer) ?? 'accepted'}`)
    },
  },
]
