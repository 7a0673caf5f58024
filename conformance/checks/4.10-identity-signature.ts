import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { flipLast } from '../crypto/flipLast.ts'
import { expectFailure } from '../kit/scenarios/requests.ts'
import {
  acceptedIdentity,
  expectNoData,
  type IdentityParams,
  identityNeeds,
  identityParams,
  newOwner,
  referenceOf,
  sealedData,
  signEnvelope,
  uploadIdentity,
} from '../kit/scenarios/sealedData.ts'

/** Section 4.10: identity data not signed by its owner. */
const needs = identityNeeds
const twin = 'the same upload, signed by its owner'

/** An upload not signed by its owner: refused, and nothing is stored under its reference. */
const notSigned = (
  id: string,
  title: string,
  change: (t: CheckContext, right: IdentityParams) => Promise<Partial<IdentityParams>>,
): Check => ({
  id,
  title: `${title} is refused, and not stored`,
  clauses: ['4.10-14', '4.10-21'],
  level: 'must',
  needs,
  twin,
  run: async (t) => {
    await t.twin(() => acceptedIdentity(t))
    const right = await identityParams(t)
    const params = { ...right, ...(await change(t, right)) }
    const failure = expectFailure(await uploadIdentity(t, params))
    t.observe(`${title}: ${failure}`)
    const data_ref_id = referenceOf(params.envelope)
    expectNoData(t, await t.gateway.call('getIdentityEncrypted', { data_ref_id }))
  },
})

export const identitySignature: readonly Check[] = [
  notSigned(
    // 4.10-14: identity_owner_sig is the owner’s EIP-712 signature of this envelope; any other is
    //   refused.
    // 4.10-21: An unknown reference returns no data.
    'rpc.uploadIdentity.signature.another-signer',
    'a signature of another account',
    async (t, { envelope }) => ({
      identity_owner_sig: await signEnvelope(t, newOwner(), envelope),
    }),
  ),
  notSigned(
    'rpc.uploadIdentity.signature.another-envelope',
    'another envelope than the one signed',
    async (t, right) => ({
      envelope: JSON.stringify(await sealedData(t, right.identity_owner)),
    }),
  ),
  notSigned(
    'rpc.uploadIdentity.signature.another-owner',
    'an owner who is not the signer',
    async () => ({
      identity_owner: newOwner().address,
    }),
  ),
  notSigned(
    'rpc.uploadIdentity.signature.one-space',
    'an envelope with one space more than the signed one',
    async (_, right) => ({
      envelope: `${right.envelope} `,
    }),
  ),
  notSigned(
    'rpc.uploadIdentity.signature.flipped-bit',
    'a signature with one bit changed',
    async (_, right) => ({
      identity_owner_sig: flipLast(right.identity_owner_sig),
    }),
  ),
  notSigned('rpc.uploadIdentity.signature.empty', 'an empty signature', async () => ({
    identity_owner_sig: '0x',
  })),
  notSigned('rpc.uploadIdentity.signature.zeros', 'a signature of zeros', async () => ({
    identity_owner_sig: `0x${'00'.repeat(65)}`,
  })),
  notSigned(
    'rpc.uploadIdentity.signature.plain-message',
    'a signature of the envelope as a plain message',
    async (t) => {
      const owner = newOwner()
      const right = await identityParams(t, owner)
      const identity_owner_sig = await owner.signMessage({ message: right.envelope })
      return { ...right, identity_owner_sig }
    },
  ),
]
