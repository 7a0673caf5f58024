import { expiryBlock, maxExpireAfter } from 'polgate-protocol/expiryBlock.ts'
import { validateCalldata } from 'polgate-service/attestation/calldata.ts'
import { attest } from 'polgate-service/attestation/testing/attest.ts'
import { stateOf } from 'polgate-service/attestation/testing/taskProgress.ts'
import { startWorld, type World } from 'polgate-service/attestation/testing/world.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { policyAbi } from './artifacts/abis.ts'
import { decodeRevert } from './customErrors.ts'
import { deployPolicy, deployPolicyClient, deployPolicyData, setPolicy } from './deploy.ts'
import { postResponse, postTask } from './tasks.ts'
import { deployEarlierPolicy } from './testing/earlierContracts.ts'

const last = 2 ** 32 - 1
const lives = [0, 1, 2, maxExpireAfter, 2 ** 31, last - 1, last] as const

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

/**
 * An attestation of a client, and of oracle data if any, with these lifetimes. Policies deployed before
 * there was a maximum have any.
 */
async function attested(expireAfter: number, dataExpireAfter?: number) {
  const { transactor, protocol } = world
  const policyData =
    dataExpireAfter === undefined
      ? []
      : [await deployPolicyData(transactor, { wasmCid: 'w', expireAfter: dataExpireAfter })]
  const policy = await deployEarlierPolicy(transactor, policyData)
  const given = { kind: 'sample', policy, expireAfter } as const
  const policyClient = await deployPolicyClient(transactor, protocol, given)
  return await attest(world, { policyClient })
}

/** The contract's result for the client in a block that may be far ahead. */
async function inBlock(attestation: Awaited<ReturnType<typeof attest>>, number: number) {
  const call = {
    account: attestation.task.policyClient,
    to: world.protocol.taskManager,
    data: validateCalldata(attestation),
    blockOverrides: { number: BigInt(number) },
  }
  return await world.transactor.client.call(call).then(
    ({ data }) => BigInt(data!) === 1n,
    (error: unknown) => decodeRevert(error)?.errorName ?? String(error),
  )
}

describe('the expiry of an attestation', () => {
  it.each(lives)('with a lifetime of %i blocks is a valid block number', async (expireAfter) => {
    const attestation = await attested(expireAfter)
    const { taskCreatedBlock } = attestation.task
    const expiration = Math.min(taskCreatedBlock + expireAfter, last)
    await postTask(world.transactor, world.protocol.taskManager, attestation.task)
    await postResponse(world.transactor, world.protocol.taskManager, attestation)
    const { certificate } = await stateOf(world, attestation)
    expect(certificate.expirationBlock).toBe(expiration)
    expect(expiryBlock(taskCreatedBlock, expireAfter)).toBe(expiration)
    if (expireAfter > 0) expect(await inBlock(attestation, expiration - 1)).toBe(true)
    expect(await inBlock(attestation, expiration)).toBe('AttestationExpired')
  })

  it.each(lives)('is that of its data with a lifetime of %i blocks', async (expireAfter) => {
    const attestation = await attested(last, expireAfter)
    const { taskCreatedBlock } = attestation.task
    const expiration = Math.min(taskCreatedBlock + expireAfter, last)
    if (expireAfter > 0) expect(await inBlock(attestation, expiration - 1)).toBe(true)
    const error = expiration === last ? 'AttestationExpired' : 'PolicyDataExpired'
    expect(await inBlock(attestation, expiration)).toBe(error)
  })
})

describe('the maximum of a lifetime', () => {
  it('is that of the contract, and is checked when a policy is set', async () => {
    const { transactor, protocol } = world
    const contents = { entrypoint: 'a.b', policyCid: 'c' }
    const policy = await deployPolicy(transactor, protocol, contents)
    const read = { address: policy, abi: policyAbi, functionName: 'MAX_EXPIRE_AFTER' } as const
    expect(await transactor.client.readContract(read)).toBe(maxExpireAfter)
    const given = { kind: 'sample', policy, expireAfter: maxExpireAfter } as const
    const policyClient = await deployPolicyClient(transactor, protocol, given)
    const attestation = await attest(world, { policyClient })
    for (const expireAfter of [maxExpireAfter + 1, last]) {
      const call = setPolicy(transactor, policyClient, { policy, expireAfter })
      await expect(call).rejects.toMatchObject({ errorName: 'ExpireAfterTooLong' })
    }
    // The client still has what was set before.
    const { taskCreatedBlock } = attestation.task
    expect(await inBlock(attestation, taskCreatedBlock + maxExpireAfter - 1)).toBe(true)
    expect(await inBlock(attestation, taskCreatedBlock + maxExpireAfter)).toBe('AttestationExpired')
  })
})
