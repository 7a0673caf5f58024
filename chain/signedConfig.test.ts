import type { Attestation } from 'polgate-service/attestation/calldata.ts'
import { attest } from 'polgate-service/attestation/testing/attest.ts'
import {
  execute,
  mine,
  mineTo,
  refusal,
  validate,
} from 'polgate-service/attestation/testing/calls.ts'
import { startWorld, type World } from 'polgate-service/attestation/testing/world.ts'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from './accounts.ts'
import { operatorRegistryAbi } from './artifacts/abis.ts'
import { deployPolicy, deployPolicyClient, setPolicy } from './deploy.ts'
import { postResponse, postTask } from './tasks.ts'
import { deployEarlierPolicy } from './testing/earlierContracts.ts'
import { deployOtherPolicy } from './testing/otherPolicy.ts'
import type { TaskResponse } from './types.ts'

const expireAfter = 20

let world: World
/** Clients of a Policy, of one deployed before there was a maximum, and of one of another maker. */
let clients: Readonly<Record<'current' | 'earlier' | 'other', Address>>
const kinds = ['current', 'earlier', 'other'] as const

beforeAll(async () => {
  world = await startWorld()
  const { transactor, protocol } = world
  const clientOf = (policy: Address) =>
    deployPolicyClient(transactor, protocol, { kind: 'sample', policy, expireAfter })
  clients = {
    current: await clientOf(
      await deployPolicy(transactor, protocol, { entrypoint: 'a.b', policyCid: 'c' }),
    ),
    earlier: await clientOf(await deployEarlierPolicy(transactor)),
    other: await clientOf(await deployOtherPolicy(transactor)),
  }
})
afterAll(() => world.stop())

/** What all operators sign, after a change. */
const signed = (policyClient: Address, change: (response: TaskResponse) => TaskResponse) =>
  attest(world, { policyClient, changeResponse: change })

const withConfig =
  (config: Partial<TaskResponse['policyConfig']>) =>
  (response: TaskResponse): TaskResponse => ({
    ...response,
    policyConfig: { ...response.policyConfig, ...config },
  })

describe.each(kinds)('the configuration of a client, its policy: %s', (kind) => {
  it('is what an attestation must be signed with', async () => {
    const policyClient = clients[kind]
    const honest = await attest(world, { policyClient })
    expect(await validate(world, honest)).toBe(true)
    for (const config of [
      { expireAfter: expireAfter + 1 },
      { expireAfter: expireAfter - 1 },
      { expireAfter: 0 },
      { expireAfter: 2 ** 32 - 1 },
      { policyParams: '0x' as const },
      { policyParams: '0x7b2261223a317d' as const },
    ]) {
      const lie = await signed(policyClient, withConfig(config))
      expect(await refusal(validate(world, lie))).toBe('PolicyConfigMismatch')
    }
    await execute(world, honest)
  })

  it('is that of its policy and no other, by address', async () => {
    const policyAddress = devAccount(8).address
    const lie = await signed(clients[kind], (response) => ({ ...response, policyAddress }))
    expect(await refusal(validate(world, lie))).toBe('PolicyAddressMismatch')
  })

  it('is the current one after it was changed and changed back', async () => {
    const { transactor } = world
    const policyClient = clients[kind]
    const before = await attest(world, { policyClient })
    const { policyAddress: policy } = before.response
    await setPolicy(transactor, policyClient, { policy, expireAfter: 7 })
    expect(await refusal(validate(world, before))).toBe('PolicyIdNotCurrent')
    const short = await attest(world, { policyClient })
    await setPolicy(transactor, policyClient, { policy, expireAfter })
    expect(await refusal(validate(world, short))).toBe('PolicyIdNotCurrent')
    const { policyId } = (await attest(world, { policyClient })).response
    const lie = await signed(policyClient, (response) => ({
      ...withConfig({ expireAfter: 7 })(response),
      policyId,
    }))
    expect(await refusal(validate(world, lie))).toBe('PolicyConfigMismatch')
  })

  it('is checked after a posted response too, which states what its operators signed', async () => {
    const lie = await signed(clients[kind], withConfig({ expireAfter: 1_000 }))
    await postTask(world.transactor, world.protocol.taskManager, lie.task)
    await postResponse(world.transactor, world.protocol.taskManager, lie)
    expect(await refusal(validate(world, lie))).toBe('PolicyConfigMismatch')
  })
})

describe('operators that were removed', () => {
  it.each(kinds)('sign in vain after the bound, policy: %s', async (kind) => {
    const former = await startWorld()
    try {
      const { transactor, protocol, operators } = former
      const policy = {
        current: () => deployPolicy(transactor, protocol, { entrypoint: 'a.b', policyCid: 'c' }),
        earlier: () => deployEarlierPolicy(transactor),
        other: () => deployOtherPolicy(transactor),
      }
      const policyClient = await deployPolicyClient(transactor, protocol, {
        ...{ kind: 'sample', policy: await policy[kind](), expireAfter },
      })
      const referenceBlock = Number(await transactor.client.getBlockNumber())
      for (const { key } of operators) await deregister(former, key.operatorId)
      const removed = Number(await transactor.client.getBlockNumber())
      const sign = (config: Partial<TaskResponse['policyConfig']>): Promise<Attestation> =>
        attest(former, { policyClient, referenceBlock, changeResponse: withConfig(config) })

      // Until then they attest for a block at which they were operators (clause 7.5-14).
      await mineTo(former, referenceBlock + expireAfter - 1)
      expect(await validate(former, await sign({}))).toBe(true)
      await mine(former, 310)
      for (const [config, error] of [
        [{}, 'AttestationExpired'],
        [{ expireAfter: 1_000 }, 'PolicyConfigMismatch'],
        [{ expireAfter: 2 ** 32 - 1 }, 'PolicyConfigMismatch'],
      ] as const) {
        expect(await refusal(validate(former, await sign(config)))).toBe(error)
      }
      expect(removed).toBeLessThan(referenceBlock + expireAfter)
    } finally {
      await former.stop()
    }
  })
})

const deregister = ({ transactor, protocol }: World, operatorId: Hex) =>
  transactor.write({
    address: protocol.operatorRegistry,
    abi: operatorRegistryAbi,
    functionName: 'deregisterOperator',
    args: [operatorId],
  })
