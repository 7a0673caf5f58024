import { devAccount } from 'polgate-chain/accounts.ts'
import { identityRegistryAbi } from 'polgate-chain/artifacts/abis.ts'
import {
  identityDomainOf,
  identityRegistration,
  readBoundIdentity,
  registerIdentityData,
} from 'polgate-chain/identityRegistry.ts'
import type { Transactor } from 'polgate-chain/transactor.ts'
import {
  chainId,
  domain,
  otherDomain,
  owner,
  type SealedDataStack,
  startSealedDataStack,
} from 'polgate-local/testing/sealedDataStack.ts'
import type { UploadIdentityEncryptedResult } from 'polgate-protocol/methods/uploadIdentityEncrypted.ts'
import { createTestClient, http, parseEventLogs } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let stack: SealedDataStack
beforeAll(async () => {
  stack = await startSealedDataStack()
})
afterAll(() => stack.close())

const register = (
  transactor: Transactor,
  { data_ref_id, gateway_signature, deadline }: UploadIdentityEncryptedResult,
  change: Partial<Parameters<typeof registerIdentityData>[2]> = {},
) =>
  registerIdentityData(transactor, stack.identityRegistry, {
    identityOwner: owner.address,
    identityDomain: domain,
    dataRefId: data_ref_id,
    gatewaySignature: gateway_signature,
    deadline: BigInt(deadline),
    ...change,
  })

describe('identity data', () => {
  it('is bound on chain with the result of the upload', async () => {
    const { result } = await stack.uploaded()
    const transactor = await stack.transactorOf()
    const { logs } = await register(transactor, result)
    const [bound] = parseEventLogs({ abi: identityRegistryAbi, eventName: 'IdentityBound', logs })
    expect(bound?.args).toEqual({
      identityOwner: owner.address,
      identityDomain: domain.toLowerCase(),
      dataRefId: result.data_ref_id,
    })
    const identity = { identityOwner: owner.address, identityDomain: domain }
    expect(await readBoundIdentity(transactor.client, stack.identityRegistry, identity)).toBe(
      result.data_ref_id,
    )
    await expect(register(transactor, result)).rejects.toMatchObject({
      errorName: 'RegistrationAlreadyUsed',
    })
  })

  it.each<[string, Partial<Parameters<typeof registerIdentityData>[2]>]>([
    ['domain', { identityDomain: otherDomain }],
    ['reference', { dataRefId: `0x${'00'.repeat(32)}` }],
    ['deadline', { deadline: 1n << 40n }],
  ])('is not bound with another %s', async (_, change) => {
    const { result } = await stack.uploaded()
    await expect(register(await stack.transactorOf(), result, change)).rejects.toMatchObject({
      errorName: 'InvalidGatewaySignature',
    })
  })

  it('is bound by its owner only', async () => {
    const { result } = await stack.uploaded()
    const stranger = await stack.transactorOf(devAccount(4))
    await expect(register(stranger, result)).rejects.toMatchObject({
      errorName: 'NotIdentityOwner',
    })
    const identityOwner = stranger.account.address
    await expect(register(stranger, result, { identityOwner })).rejects.toMatchObject({
      errorName: 'InvalidGatewaySignature',
    })
  })

  it('is not bound with the signature of another gateway', async () => {
    const { result } = await stack.uploaded()
    const gatewaySignature = await devAccount(4).signTypedData({
      domain: identityDomainOf(chainId, stack.identityRegistry),
      ...identityRegistration,
      message: {
        identityOwner: owner.address,
        identityDomain: domain,
        dataRefId: result.data_ref_id,
        deadline: BigInt(result.deadline),
      },
    })
    await expect(
      register(await stack.transactorOf(), result, { gatewaySignature }),
    ).rejects.toMatchObject({ errorName: 'InvalidGatewaySignature' })
  })
})

describe('the deadline', () => {
  // Last, because it changes the time of the chain.
  it('follows the clock of the chain, however far ahead it is', async () => {
    const chain = createTestClient({
      mode: 'anvil',
      transport: http(stack.description.chain.rpcUrl),
    })
    const transactor = await stack.transactorOf()
    await chain.increaseTime({ seconds: 86_400 })
    // Before and after the first block with the new time.
    await register(transactor, (await stack.uploaded()).result)
    const { result } = await stack.uploaded()
    await register(transactor, result)
    const { timestamp } = await transactor.client.getBlock()
    expect(Math.abs(result.deadline - Number(timestamp) - 300)).toBeLessThan(60)
    expect(result.deadline).toBeGreaterThan(Date.now() / 1000 + 86_000)
  })

  it('is the last second at which a registration is accepted', async () => {
    const { params, result } = await stack.uploaded()
    const chain = createTestClient({
      mode: 'anvil',
      transport: http(stack.description.chain.rpcUrl),
    })
    const transactor = await stack.transactorOf()
    const late = (await stack.uploaded()).result
    await chain.setNextBlockTimestamp({ timestamp: BigInt(late.deadline) })
    await register(transactor, late)
    await chain.increaseTime({ seconds: 301 })
    await chain.mine({ blocks: 1 })
    await expect(register(transactor, result)).rejects.toMatchObject({
      errorName: 'RegistrationExpired',
    })
    expect((await stack.uploadIdentity(params)).result?.data_ref_id).toBe(result.data_ref_id)
  })
})
