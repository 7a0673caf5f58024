import { identityRegistryAbi } from 'polgate-chain/artifacts/abis.ts'
import type { Hex } from 'viem'
import { recoverTypedDataAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Check } from '../core/check.ts'
import { Untestable } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectThat } from '../core/expect.ts'
import { flipLast } from '../crypto/flipLast.ts'
import { identityDomainOf, typedRegistration } from '../crypto/identity.ts'
import { observed } from '../kit/assertions/observed.ts'
import { chainTime, latestBlockTime, moveChainAhead } from '../kit/scenarios/chainClock.ts'
import { transactorOf } from '../kit/scenarios/newClient.ts'
import { chainIdOf } from '../kit/scenarios/requests.ts'
import {
  acceptedIdentity,
  expectUploaded,
  freshDomain,
  identityNeeds,
  identityParams,
  identityRegistryOf,
  newOwner,
  type UploadedIdentity,
  uploadIdentity,
} from '../kit/scenarios/sealedData.ts'

/** Section 4.10: the registration of identity data on chain, and its deadline. */
const needs = identityNeeds

const registrationOf = ({ params, result }: UploadedIdentity) => ({
  identityOwner: params.identity_owner,
  identityDomain: params.identity_domain,
  dataRefId: String(result.data_ref_id),
  deadline: BigInt(String(result.deadline)),
})

/**
 * The signer recovered from the gateway's signature over what the registry verifies (decision K7).
 */
function signerOf(t: CheckContext, uploaded: UploadedIdentity) {
  const domain = identityDomainOf(identityRegistryOf(t), chainIdOf(t))
  return recoverTypedDataAddress({
    ...typedRegistration(domain, registrationOf(uploaded)),
    signature: uploaded.result.gateway_signature as Hex,
  })
}

/** The registry's response to a registration, simulated. */
async function registers(t: CheckContext, uploaded: UploadedIdentity): Promise<boolean> {
  const { identityOwner, identityDomain, dataRefId, deadline } = registrationOf(uploaded)
  const signature = uploaded.result.gateway_signature as Hex
  try {
    await t.chain().simulateContract({
      account: identityOwner,
      address: identityRegistryOf(t),
      abi: identityRegistryAbi,
      functionName: 'registerIdentityData',
      args: [identityOwner, identityDomain, dataRefId, signature, deadline],
    })
    return true
  } catch {
    return false
  }
}

async function newUpload(t: CheckContext): Promise<UploadedIdentity> {
  const params = await identityParams(t)
  return { params, result: expectUploaded(await uploadIdentity(t, params)) }
}

export const identityRegistry: readonly Check[] = [
  {
    // 4.10-17: deadline is in unix seconds and in the future.
    // 4.10-35: How far in the future deadline is.
    id: 'rpc.uploadIdentity.deadline',
    title: 'the deadline is in the future by the clock of the chain, which the registry uses',
    clauses: ['4.10-17', '4.10-35'],
    level: 'must',
    needs,
    run: async (t) => {
      await acceptedIdentity(t)
      const result = expectUploaded(await uploadIdentity(t, await identityParams(t)))
      const deadline = Number(result.deadline)
      const [latest, now] = await Promise.all([latestBlockTime(t), chainTime(t)])
      const ahead = deadline - now
      expectThat(deadline > latest, 'deadline', `after ${latest}, the latest block`, deadline)
      observed(t, 'seconds-ahead', 'seconds from now to the deadline', ahead)
    },
  },
  {
    // 4.10-16: The result has gateway_signature, which the on-chain registry accepts.
    id: 'rpc.uploadIdentity.gateway-signature',
    title:
      'the gateway signs the registration: always by the same account, which the registry accepts',
    clauses: ['4.10-16'],
    level: 'must',
    needs,
    run: async (t) => {
      const first = await acceptedIdentity(t)
      const second = await newUpload(t)
      const signers = await Promise.all([signerOf(t, first), signerOf(t, second)])
      expectEqual(signers[1], signers[0], 'the signer of the second upload')
      const known = await t.chain().readContract({
        address: identityRegistryOf(t),
        abi: identityRegistryAbi,
        functionName: 'gateway',
      })
      expectEqual(signers[0], known, 'the signer')
      t.observe(`gateway_signature is by ${signers[0]}`)
    },
  },
  {
    // 4.10-16: The result has gateway_signature, which the on-chain registry accepts.
    // 4.10-17: deadline is in unix seconds and in the future.
    // 4.10-15: data_ref_id is the keccak-256 hash of the bytes of the envelope string as it was
    //   sent.
    id: 'rpc.uploadIdentity.registered',
    title: 'the registry on chain binds the data with reference, signature and deadline',
    clauses: ['4.10-16', '4.10-17', '4.10-15'],
    level: 'must',
    needs: [...needs, 'owner'],
    run: async (t) => {
      await acceptedIdentity(t)
      const privateKey = t.target.accounts?.owner?.privateKey
      if (privateKey === undefined) throw new Untestable('the target has no account to pay with')
      const params = await identityParams(t, privateKeyToAccount(privateKey))
      const uploaded = { params, result: expectUploaded(await uploadIdentity(t, params)) }
      const { identityOwner, identityDomain, dataRefId, deadline } = registrationOf(uploaded)
      const transactor = await transactorOf(t)
      const address = identityRegistryOf(t)
      const abi = identityRegistryAbi
      const signature = uploaded.result.gateway_signature as Hex
      await transactor.write({
        address,
        abi,
        functionName: 'registerIdentityData',
        args: [identityOwner, identityDomain, dataRefId, signature, deadline],
      })
      const bound = await t.chain().readContract({
        address,
        abi,
        functionName: 'dataRefIdOf',
        args: [identityOwner, identityDomain],
      })
      expectEqual(bound, dataRefId, 'the bound reference')
    },
  },
  {
    // 4.10-16: The result has gateway_signature, which the on-chain registry accepts.
    id: 'rpc.uploadIdentity.registration.changed',
    title: 'a registration that the gateway did not sign is rejected by the registry',
    clauses: ['4.10-16'],
    level: 'must',
    needs,
    twin: 'the registration as signed',
    run: async (t) => {
      // The deadline of an earlier upload may have passed: how far it is ahead is open.
      const uploaded = await newUpload(t)
      await t.twin(async () => expectEqual(await registers(t, uploaded), true, 'the registration'))
      const { params, result } = uploaded
      const changes: Readonly<Record<string, UploadedIdentity>> = {
        domain: { params: { ...params, identity_domain: freshDomain() }, result },
        owner: { params: { ...params, identity_owner: newOwner().address }, result },
        reference: { params, result: { ...result, data_ref_id: freshDomain() } },
        deadline: { params, result: { ...result, deadline: Number(result.deadline) + 1 } },
        signature: {
          params,
          result: { ...result, gateway_signature: flipLast(result.gateway_signature as Hex) },
        },
      }
      for (const [what, changed] of Object.entries(changes))
        expectEqual(await registers(t, changed), false, `the registration with another ${what}`)
    },
  },
]

/** Runs last: a moved clock cannot be reset, since block times never decrease. */
export const identityClock: readonly Check[] = [
  {
    // 4.10-16: The result has gateway_signature, which the on-chain registry accepts.
    // 4.10-17: deadline is in unix seconds and in the future.
    id: 'rpc.uploadIdentity.deadline.chain-clock',
    title: 'a registration is accepted even if the clock of the chain is ahead',
    clauses: ['4.10-16', '4.10-17'],
    level: 'must',
    needs: [...needs, 'chain:dev'],
    twin: 'the same before the clock of the chain is moved',
    exclusive: true,
    run: async (t) => {
      await acceptedIdentity(t)
      const first = await newUpload(t)
      await t.twin(async () => expectEqual(await registers(t, first), true, 'the registration'))
      const ahead = Number(first.result.deadline) - (await chainTime(t))
      await moveChainAhead(t, Math.max(ahead, 0) + 30)
      const { deadline } = (await newUpload(t)).result
      const latest = await latestBlockTime(t)
      expectThat(
        Number(deadline) > latest,
        'deadline',
        `later than ${latest}, the time of the latest block`,
        deadline,
      )
      expectEqual(await registers(t, await newUpload(t)), true, 'the registration')
    },
  },
]
