import { deployPolicyClient } from 'polgate-chain/deploy.ts'
import { compileTestContracts } from 'polgate-chain/testing/compileTestContracts.ts'
import { startWorld, type World } from 'polgate-service/attestation/testing/world.ts'
import { type Address, createPublicClient, custom, encodeDeployData, type PublicClient } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { diagnoseOwnPolicies, ownPolicyOf } from './diagnoseClients.ts'

let world: World
let clients: Readonly<Record<'kept' | 'vault' | 'following' | 'executing', Address>>
beforeAll(async () => {
  world = await startWorld()
  const { transactor, protocol, policy } = world
  const compiled = await compileTestContracts('FirstClients.sol')
  const create = async (name: string) => {
    const args = [protocol.taskManager, policy, { policyParams: '0x7b7d', expireAfter: 9 }]
    return (await transactor.create(encodeDeployData({ ...compiled(name), args }))).address
  }
  clients = {
    kept: world.policyClient,
    vault: await deployPolicyClient(transactor, protocol, { kind: 'tokenVault', policy }),
    following: await create('FollowingClient'),
    executing: await create('ClientOfFirstRelease'),
  }
})
afterAll(() => world.stop())

/** The node of the world, as another one would answer calls with more than two parameters. */
function nodeWith(answer: (params: readonly unknown[]) => readonly unknown[]): PublicClient {
  const { request } = world.transactor.client as unknown as {
    request(call: { method: string; params: readonly unknown[] }): Promise<unknown>
  }
  return createPublicClient({
    transport: custom({
      request: ({ method, params }) => request({ method, params: answer(params ?? []) }),
    }),
  })
}

describe('whether a call of a client to its policy replaces the policy', () => {
  it.each([
    ['kept', 'kept'],
    ['vault', 'kept'],
    ['following', 'recorded by the policy'],
    ['executing', 'replaced by intents'],
  ] as const)('is found for a client: %s', async (name, expected) => {
    expect(await ownPolicyOf(world.transactor.client, clients[name])).toBe(expected)
  })

  it('is unknown where the node ignores or refuses state overrides', async () => {
    const ignoring = nodeWith((params) => params.slice(0, 2))
    const refusing = nodeWith((params) => {
      if (params.length > 2) throw new Error('too many arguments, want at most 2')
      return params
    })
    for (const node of [ignoring, refusing])
      for (const client of Object.values(clients))
        expect(await ownPolicyOf(node, client)).toBe('unknown')
  })

  it('is a note, with the names of the clients and what to do', async () => {
    const ofNames = (...names: readonly (keyof typeof clients)[]) =>
      diagnoseOwnPolicies(world.transactor.client, {
        clients: Object.fromEntries(
          names.map((name) => [name, { policyClient: clients[name] }]),
        ) as never,
      })
    expect(await ofNames('kept', 'vault')).toMatchObject([
      { state: 'ok', says: '2 clients keep what their owner set' },
    ])
    expect(await ofNames('kept', 'following', 'executing')).toMatchObject(
      [
        { state: 'warn', says: /^executing: an allowed intent/, hint: /input\.to/ },
        { state: 'warn', says: /^following: the policy id/, hint: /input\.to/ },
      ].map(({ says, hint, ...rest }) => ({
        ...rest,
        says: expect.stringMatching(says),
        hint: expect.stringMatching(hint),
      })),
    )
    expect(await ofNames()).toEqual([])
  })
})
