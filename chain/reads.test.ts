import { startWorld, type World } from 'polgate-service/attestation/testing/world.ts'
import { getAddress, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from './accounts.ts'
import { createChainClient } from './client.ts'
import { deployPolicyClient, deployPolicyData, setPolicy } from './deploy.ts'
import { ChainReadError } from './errors.ts'
import { readOperatorSet } from './operatorSet.ts'
import {
  readAttestationState,
  readClientContext,
  readIntentDomain,
  readOwner,
  readPolicyData,
  readTask,
} from './reads.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const silent = createChainClient({ rpcUrl: 'http://127.0.0.1:1' })
const nobody = devAccount(9).address

it('truncates the revert reason of a contract', async () => {
  const { client } = world.transactor
  const contract = `0x${'ee'.repeat(20)}` as const
  // revert(0, 100_000)
  const code = '0x620186a06000fd'
  await client.request({ method: 'anvil_setCode', params: [contract, code] } as never)
  const outcomes = await Promise.allSettled([
    readClientContext({ client, policyClient: contract }),
    readPolicyData({ client, policyData: contract }),
    readOwner(client, contract),
  ])
  for (const outcome of outcomes) {
    const error = outcome.status === 'rejected' ? outcome.reason : undefined
    expect(error).toBeInstanceOf(ChainReadError)
    expect((error as ChainReadError).code).toBe('reverted')
    expect((error as ChainReadError).message.length).toBeLessThan(1_010)
  }
})

describe('readClientContext', () => {
  it('reads everything that a task needs about its client', async () => {
    const { client, account } = world.transactor
    const context = await readClientContext({ client, policyClient: world.policyClient })
    expect(context).toEqual({
      policyClient: world.policyClient,
      blockNumber: Number(await client.getBlockNumber()),
      chainId: 31_337,
      owner: account.address,
      taskManager: world.protocol.taskManager,
      policyId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      policyAddress: world.policy,
      policyConfig: { policyParams: '{"limit":1}', expireAfter: 20 },
      entrypoint: 'sample.allow',
      policyCid: 'bafypolicy',
      schemaCid: '',
      metadataCid: '',
      version: '1.1.0',
      policyData: [
        {
          policyDataAddress: world.policyData,
          wasmCid: 'bafywasm',
          secretsSchemaCid: '',
          expireAfter: 50,
          version: '1.1.0',
          attesters: [],
          digestVersion: 2,
        },
      ],
      signingDomain: {
        name: expect.any(String),
        version: expect.any(String),
        chainId: 31_337n,
        verifyingContract: getAddress(world.policyClient),
      },
    })
  })

  it('reads it as of an earlier block', async () => {
    const { transactor, protocol, policy } = world
    const policyClient = await deployPolicyClient(transactor, protocol, {
      kind: 'sample',
      policy,
      policyParams: '{"limit":1}',
    })
    const blockNumber = await transactor.client.getBlockNumber()
    await setPolicy(transactor, policyClient, { policy, policyParams: '{"limit":"über"}' })
    const { client } = transactor
    const [then, now] = await Promise.all([
      readClientContext({ client, policyClient, blockNumber }),
      readClientContext({ client, policyClient }),
    ])
    expect(then.blockNumber).toBe(Number(blockNumber))
    expect(then.policyConfig.policyParams).toBe('{"limit":1}')
    expect(now.policyConfig.policyParams).toBe('{"limit":"über"}')
    expect(now.policyId).not.toBe(then.policyId)
  })

  it.each([
    [
      'an address without code',
      () => nobody,
      'no-contract',
      `getOwner() of ${nobody} returned no data`,
    ],
    ['the zero address', () => zeroAddress, 'no-contract', 'returned no data'],
    ['a contract of another kind', () => world.policyData, 'no-contract', 'getOwner()'],
  ])('fails for %s', async (_, address, failure, text) => {
    const { client } = world.transactor
    const error = await readClientContext({ client, policyClient: address() }).catch((e) => e)
    expect(error).toBeInstanceOf(ChainReadError)
    expect(error.message).toMatch(/^Contract read failed: /)
    expect(error.message).toContain(text)
    expect(error.code).toBe(failure)
  })

  it('fails for a client without a policy', async () => {
    const { transactor, protocol } = world
    const policyClient = await deployPolicyClient(transactor, protocol, { kind: 'sample' })
    const { client } = transactor
    const error = await readClientContext({ client, policyClient }).catch((e) => e)
    expect(error).toMatchObject({ code: 'reverted' })
    expect(error.message).toBe(
      `Contract read failed: getPolicyId() of ${policyClient} reverted with PolicyNotSet()`,
    )
  })

  it('fails if the node is unreachable', async () => {
    const reading = readClientContext({ client: silent, policyClient: world.policyClient })
    const error = await reading.catch((e) => e)
    expect(error).toBeInstanceOf(ChainReadError)
    expect(error.code).toBe('unreachable')
    expect(error.message).toMatch(/^Contract read failed: /)
  })
})

describe('readTask', () => {
  const read = (
    quorumNumbers: readonly number[],
    operatorRegistry = world.protocol.operatorRegistry,
  ) =>
    readTask({
      client: world.transactor.client,
      policyClient: world.policyClient,
      operatorRegistry,
      quorumNumbers,
    })

  it('reads client and operators in one call, like two calls at one block', async () => {
    const { client } = world.transactor
    const { policyClient } = world
    const context = await readClientContext({ client, policyClient })
    const operatorSet = await readOperatorSet({
      client,
      operatorRegistry: world.protocol.operatorRegistry,
      quorumNumbers: [0, 1],
      blockNumber: context.blockNumber,
    })
    expect(await read([0, 1])).toEqual({ client: context, operatorSet })
    expect(operatorSet.operators).toHaveLength(4)
  })

  it('reports a registry that does not have a quorum, or is not a registry', async () => {
    await expect(read([7])).rejects.toMatchObject({
      code: 'reverted',
      message: expect.stringMatching(/getOperatorSet.*reverted with UnknownQuorum/),
    })
    await expect(read([0], nobody)).rejects.toMatchObject({ code: 'no-contract' })
  })
})

describe('other reads', () => {
  it('read a single data source', async () => {
    const policyData = await deployPolicyData(world.transactor, {
      wasmCid: 'w',
      secretsSchemaCid: 's',
      attesters: [nobody],
      version: '2.1.0',
    })
    const { client } = world.transactor
    expect(await readPolicyData({ client, policyData })).toEqual({
      policyDataAddress: policyData,
      wasmCid: 'w',
      secretsSchemaCid: 's',
      expireAfter: 300,
      version: '2.1.0',
      attesters: [nobody],
      digestVersion: 2,
    })
    await expect(readPolicyData({ client, policyData: nobody })).rejects.toThrow(
      `Contract read failed: getWasmCid() of ${nobody} returned no data`,
    )
  })

  it.each<[string, () => Promise<unknown>]>([
    ['owner', () => readOwner(world.transactor.client, nobody)],
    ['attestation state', () => readAttestationState(world.transactor.client, nobody, '0x')],
    ['owner, node unreachable', () => readOwner(silent, nobody)],
    ['domain, node unreachable', () => readIntentDomain(silent, nobody)],
  ])('fail with the same error: %s', async (_, read) => {
    await expect(read()).rejects.toThrow(ChainReadError)
    await expect(read()).rejects.toThrow(/^Contract read failed: /)
  })

  it('do not reveal the RPC URL, which may contain a key', async () => {
    const client = createChainClient({ rpcUrl: 'http://127.0.0.1:1/secret-key' })
    const error = await readOwner(client, nobody).catch((e) => e)
    expect(error.message).not.toContain('secret-key')
    expect(error.hint).not.toContain('secret-key')
  })

  it('tell a missing contract from an unreachable node', async () => {
    const failureOf = (read: Promise<unknown>) => read.catch((error) => error.code)
    expect(await failureOf(readOwner(world.transactor.client, nobody))).toBe('no-contract')
    expect(await failureOf(readOwner(silent, nobody))).toBe('unreachable')
  })
})
