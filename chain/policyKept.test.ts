import { attest } from 'polgate-service/attestation/testing/attest.ts'
import {
  execute,
  refusal,
  simulate,
  simulateExecute,
} from 'polgate-service/attestation/testing/calls.ts'
import { startWorld, type World } from 'polgate-service/attestation/testing/world.ts'
import { type Address, encodeDeployData, encodeFunctionData, stringToHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { abiOf } from './artifact.ts'
import { policyAbi, sampleClientAbi } from './artifacts/abis.ts'
import { deployPolicy, deployPolicyClient, setPolicy } from './deploy.ts'
import { readClientContext } from './reads.ts'
import type { CompiledContract } from './testing/compileContracts.ts'
import { compileTestContracts } from './testing/compileTestContracts.ts'
import { setTargetAllowed } from './testing/setTargetAllowed.ts'

let world: World
let compiled: (name: string) => CompiledContract
beforeAll(async () => {
  ;[world, compiled] = await Promise.all([startWorld(), compileTestContracts('CallerRights.sol')])
})
afterAll(() => world.stop())

const expireAfter = 1_000
const weaker = { policyParams: stringToHex('{"limit":1000000}'), expireAfter: 9_999 } as const
const setPolicyCall = encodeFunctionData({
  ...{ abi: policyAbi, functionName: 'setPolicy', args: [weaker] },
})

const create = async (name: string, args: readonly unknown[] = []) =>
  (await world.transactor.create(encodeDeployData({ ...compiled(name), args }))).address

function deployed(name: string): Promise<Address> {
  const content = { entrypoint: 'sample.allow', policyCid: 'bafypolicy' }
  return name === 'Policy' ? deployPolicy(world.transactor, world.protocol, content) : create(name)
}

const contextOf = (policyClient: Address) =>
  readClientContext({ client: world.transactor.client, policyClient })

/** A client whose owner allowed its policy as a target, and an attestation of a call that replaces the policy. */
async function rewriting(name: string) {
  const { transactor, protocol } = world
  const policy = await deployed(name)
  const given = { kind: 'sample', policy, policyParams: '{"limit":1}', expireAfter } as const
  const policyClient = await deployPolicyClient(transactor, protocol, given)
  const attestation = await attest(world, {
    policyClient,
    intent: { to: policy, data: setPolicyCall },
  })
  return { policy, policyClient, attestation }
}

describe('an allowed intent that sets another configuration at the policy', () => {
  const policies = ['Policy', 'PolicyOfFirstRelease', 'CountingPolicy', 'PolicyByClient'] as const

  it.each(policies)('is refused: %s', async (name) => {
    const { attestation } = await rewriting(name)
    expect(await refusal(simulateExecute(world, attestation))).toBe('IntentTargetRefused')
  })

  it.each(policies.slice(0, 3))('has no effect where the owner allows it: %s', async (name) => {
    const { policy, policyClient, attestation } = await rewriting(name)
    const { blockNumber: _, ...before } = await contextOf(policyClient)
    await setTargetAllowed(world.transactor, policyClient, policy)
    await execute(world, attestation)
    const { blockNumber: __, ...after } = await contextOf(policyClient)
    expect(after).toEqual(before)
    const recorded = await world.transactor.client.readContract({
      ...{ address: policy, abi: policyAbi, functionName: 'getPolicyId', args: [policyClient] },
    })
    expect(recorded).not.toBe(before.policyId)
    // Signed for the configuration that the client never had.
    const underWeaker = await attest(world, {
      policyClient,
      changeResponse: (response) => ({ ...response, policyId: recorded, policyConfig: weaker }),
    })
    expect(await refusal(simulateExecute(world, underWeaker))).toBe('StalePolicy')
    await execute(world, await attest(world, { policyClient }))
  })

  it('ends attestations where the id does not cover it, until the owner sets it again', async () => {
    const { policy, policyClient, attestation } = await rewriting('PolicyByClient')
    await setTargetAllowed(world.transactor, policyClient, policy)
    await execute(world, attestation)
    await expect(contextOf(policyClient)).rejects.toThrow('PolicyConfigChanged')
    await setPolicy(world.transactor, policyClient, { policy, policyParams: '{"limit":2}' })
    expect((await contextOf(policyClient)).policyConfig.policyParams).toBe('{"limit":2}')
  })
})

it('a policy is set in constructors and by a contract that owns the client, which allows targets', async () => {
  const { protocol, transactor } = world
  const policy = await deployed('Policy')
  const config = { policyParams: stringToHex('{"limit":1}'), expireAfter }
  const multisig = await create('Multisig', [protocol.taskManager, policy, config])
  const read = { address: multisig, abi: compiled('Multisig').abi }
  const { client } = transactor
  const policyClient = (await client.readContract({ ...read, functionName: 'client' })) as Address
  expect(await contextOf(policyClient)).toMatchObject({
    ...{ owner: multisig, policyAddress: policy },
    policyConfig: { policyParams: '{"limit":1}', expireAfter },
  })
  const attestation = await attest(world, {
    policyClient,
    intent: { to: policy, data: setPolicyCall },
  })
  expect(await refusal(simulateExecute(world, attestation))).toBe('IntentTargetRefused')
  const allowing = encodeFunctionData({
    ...{ abi: sampleClientAbi, functionName: 'setTargetAllowed', args: [policy, true] },
  })
  const call = { from: transactor.account.address, to: policyClient, data: allowing }
  expect(await refusal(simulate(world, call))).toBe('NotOwner')
  await transactor.write({
    ...{ ...read, functionName: 'call', args: [policyClient, allowing] },
  } as never)
  expect(await refusal(simulateExecute(world, attestation))).toMatch(/^accepted/)
})

describe('what the owner of a client allows by name', () => {
  it('is kept for each target, and can be taken back', async () => {
    const { transactor, policyClient, policy } = world
    const contract = { address: policyClient, abi: sampleClientAbi } as const
    const isAllowed = (target: Address) =>
      transactor.client.readContract({
        ...contract,
        functionName: 'isTargetAllowed',
        args: [target],
      })
    const { taskManager } = world.protocol
    const attestation = await attest(world, { intent: { to: taskManager } })
    const run = () => refusal(simulateExecute(world, attestation))
    expect([await isAllowed(taskManager), await run()]).toEqual([false, 'IntentTargetRefused'])
    await setTargetAllowed(transactor, policyClient, taskManager)
    expect([await isAllowed(taskManager), await isAllowed(policy)]).toEqual([true, false])
    // Its only functions are others: the call is made.
    expect(await run()).toBe('IntentFailed')
    await transactor.write({
      ...{ ...contract, functionName: 'setTargetAllowed', args: [taskManager, false] },
    })
    expect([await isAllowed(taskManager), await run()]).toEqual([false, 'IntentTargetRefused'])
  })

  it('is not needed for anything else', async () => {
    const { transactor, policyClient } = world
    const { abi } = { abi: sampleClientAbi }
    const refuses = (target: Address, data: `0x${string}`) =>
      transactor.client.readContract({
        ...{ address: policyClient, abi, functionName: 'refusesTarget', args: [target, data] },
      })
    const { policyFactory } = world.protocol
    for (const [target, data] of [
      [zeroAddress, '0x'],
      [policyFactory, '0x'],
      [policyFactory, setPolicyCall.slice(0, 8) as '0x'],
      [world.policyData, encodeFunctionData({ abi: abiOf('PolicyData'), functionName: 'version' })],
    ] as const)
      expect(await refuses(target, data)).toBe(false)
  })
})
