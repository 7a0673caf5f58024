import type { IntentDomain } from 'polgate-lib/intents/intentDomain.ts'
import type { Attestation } from 'polgate-service/attestation/calldata.ts'
import { attest, prepare } from 'polgate-service/attestation/testing/attest.ts'
import { execute, refusal, simulateExecute } from 'polgate-service/attestation/testing/calls.ts'
import { transferIntent } from 'polgate-service/attestation/testing/provocations/policyClients.ts'
import { allow, deny, startWorld, type World } from 'polgate-service/attestation/testing/world.ts'
import {
  type Address,
  erc20Abi,
  hashTypedData,
  parseEther,
  parseEventLogs,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { getAbiItem } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from './accounts.ts'
import { sampleClientAbi, tokenVaultAbi } from './artifacts/abis.ts'
import { deployPolicyClient, deploySampleToken } from './deploy.ts'
import { readClientContext, readIntentDomain, readOwner } from './reads.ts'
import { postTask } from './tasks.ts'
import { createTransactor } from './transactor.ts'
import type { Task } from './types.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const domainName = 'Treasury'
const domainVersion = '2'
const deploy = (kind: 'sample' | 'withoutDomain' | 'tokenVault', token?: Address) =>
  deployPolicyClient(world.transactor, world.protocol, {
    kind,
    policy: world.policy,
    domainName,
    domainVersion,
    ...(token === undefined ? {} : { token }),
  })

/** Section 4.2. */
const types = {
  Intent: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
    { name: 'chainId', type: 'uint256' },
    { name: 'functionSignature', type: 'bytes' },
  ],
} as const

describe('the signing domain of intents', () => {
  it.each(['sample', 'withoutDomain', 'tokenVault'] as const)('of %s is EIP-712', async (kind) => {
    const policyClient = await deploy(kind)
    const { response } = await prepare(world, { policyClient, intent: { data: '0x1234' } })
    const domain: IntentDomain = {
      name: domainName,
      version: domainVersion,
      chainId: BigInt(world.transactor.chainId),
      verifyingContract: policyClient,
    }
    const { client } = world.transactor
    const hash = await client.readContract({
      address: policyClient,
      abi: sampleClientAbi,
      functionName: 'hashIntent',
      args: [response.intent],
    })
    const message = response.intent
    expect(hash).toBe(hashTypedData({ domain, types, primaryType: 'Intent', message }))
    const exposed = await readIntentDomain(client, policyClient)
    expect(exposed).toEqual(kind === 'withoutDomain' ? undefined : domain)
    const { signingDomain } = await readClientContext({ client, policyClient })
    expect(signingDomain).toEqual(exposed)
  })
})

describe('the unsigned terms of a task', () => {
  const restated = (attestation: Attestation, change: Partial<Task>) =>
    refusal(simulateExecute(world, { ...attestation, task: { ...attestation.task, ...change } }))
  const taken = 'accepted: 0x'.concat('0'.repeat(63), '1')
  /** 90 % of the stake. */
  const signers = () => world.operators.slice(0, 3)

  it('are accepted down to the minimum of the client if the task is not posted', async () => {
    const attestation = await attest(world, { signers: signers(), threshold: 90 })
    const restate = (quorumThresholdPercentage: number) =>
      restated(attestation, { quorumThresholdPercentage })
    expect(await restate(67)).toBe(taken)
    expect(await restate(66)).toBe('ThresholdBelowMinimum')
    expect(await restate(0)).toBe('ThresholdBelowMinimum')
    expect(await restate(91)).toBe('QuorumNotReached')
  })

  it('cannot replace stake that did not sign', async () => {
    const attestation = await attest(world, { signers: world.operators.slice(0, 1) })
    for (let threshold = 0; threshold <= 100; threshold += 10) {
      const change = { quorumThresholdPercentage: threshold }
      const expected = threshold < 67 ? 'ThresholdBelowMinimum' : 'QuorumNotReached'
      expect(await restated(attestation, change)).toBe(expected)
    }
  })

  it('cannot omit the quorum that the client requires', async () => {
    // All of quorum 1, and 60 % of quorum 0.
    const quorumNumbers = [1]
    const others = world.operators.slice(1)
    const attestation = await attest(world, { signers: others, quorumNumbers })
    expect(await restated(attestation, {})).toBe('QuorumMissing')
    const both = await attest(world, { signers: others, quorumNumbers: [0, 1] })
    expect(await restated(both, { quorumNumbers: '0x01' })).toBe('QuorumMissing')
    expect(await restated(both, {})).toBe('QuorumNotReached')
    const all = await attest(world, { quorumNumbers: [0, 1] })
    expect(await restated(all, {})).toBe(taken)
  })

  it('are those of the posted task', async () => {
    const attestation = await attest(world, { signers: signers(), threshold: 90 })
    await postTask(world.transactor, world.protocol.taskManager, attestation.task)
    expect(await restated(attestation, {})).toBe(taken)
    expect(await restated(attestation, { quorumThresholdPercentage: 89 })).toBe(
      'TaskDiffersFromPosted',
    )
  })
})

describe('ownership (section 5.2)', () => {
  const write = (
    functionName: 'setOwner' | 'transferOwnership',
    owner: Address,
    address: Address,
  ) => world.transactor.write({ address, abi: sampleClientAbi, functionName, args: [owner] })

  it('is transferred immediately, by either function', async () => {
    const { client, account } = world.transactor
    const heir = await createTransactor({ rpcUrl: world.anvil.url, account: devAccount(1) })
    const policyClient = await deploy('sample')
    expect(await readOwner(client, policyClient)).toBe(account.address)
    await write('setOwner', heir.account.address, policyClient)
    expect(await readOwner(client, policyClient)).toBe(heir.account.address)
    await expect(write('setOwner', account.address, policyClient)).rejects.toMatchObject({
      errorName: 'NotOwner',
    })
    await heir.write({
      address: policyClient,
      abi: sampleClientAbi,
      functionName: 'transferOwnership',
      args: [account.address],
    })
    expect(await readOwner(client, policyClient)).toBe(account.address)
  })

  it('can be renounced only with setOwner', async () => {
    const policyClient = await deploy('sample')
    await expect(write('transferOwnership', zeroAddress, policyClient)).rejects.toMatchObject({
      errorName: 'InvalidOwner',
    })
    await write('setOwner', zeroAddress, policyClient)
    expect(await readOwner(world.transactor.client, policyClient)).toBe(zeroAddress)
  })

  it('is required to change the policy', async () => {
    const other = await createTransactor({ rpcUrl: world.anvil.url, account: devAccount(2) })
    const address = await deploy('sample')
    const args = [world.policy, { policyParams: '0x7b7d', expireAfter: 1 }] as const
    const call = { address, abi: sampleClientAbi, functionName: 'setPolicy', args } as const
    await expect(other.write(call)).rejects.toMatchObject({ errorName: 'NotOwner' })
    await world.transactor.write(call)
  })
})

it('reports its interface through ERC-165', async () => {
  const policyClient = await deploy('sample')
  const names = [
    'getOwner',
    'setOwner',
    'transferOwnership',
    'getPolicyAddress',
    'getPolicyId',
    'getPolicyConfig',
    'getTaskManager',
    'setPolicy',
  ] as const
  const interfaceId = names
    .map((name) => BigInt(toFunctionSelector(getAbiItem({ abi: sampleClientAbi, name }))))
    .reduce((id, selector) => id ^ selector)
  const supports = (id: bigint) =>
    world.transactor.client.readContract({
      address: policyClient,
      abi: sampleClientAbi,
      functionName: 'supportsInterface',
      args: [`0x${id.toString(16).padStart(8, '0')}`],
    })
  expect(await supports(interfaceId)).toBe(true)
  expect(await supports(0x01ffc9a7n)).toBe(true)
  expect(await supports(0xffffffffn)).toBe(false)
})

describe('a client that executes intents', () => {
  it('sends value from its balance, only when allowed', async () => {
    const { client } = world.transactor
    const policyClient = await deploy('sample')
    const to: Address = '0x00000000000000000000000000000000000000bb'
    await world.transactor.transfer(policyClient, parseEther('1'))
    const intent = { to, value: parseEther('0.25') }
    await execute(world, await attest(world, { policyClient, intent, evaluationResult: deny }))
    expect(await client.getBalance({ address: to })).toBe(0n)
    const receipt = await execute(world, await attest(world, { policyClient, intent }))
    expect(await client.getBalance({ address: to })).toBe(parseEther('0.25'))
    const names = parseEventLogs({ abi: sampleClientAbi, logs: receipt.logs }).map(
      (l) => l.eventName,
    )
    expect(names).toEqual(['IntentExecuted'])
  })
})

describe('a vault', () => {
  const recipient = devAccount(9).address
  let token: Address
  let vault: Address

  beforeAll(async () => {
    const { transactor } = world
    token = await deploySampleToken(transactor, 1_000n)
    vault = await deploy('tokenVault', token)
    const approval = { address: token, abi: erc20Abi, functionName: 'approve' } as const
    await transactor.write({ ...approval, args: [vault, 100n] })
    const deposit = { address: vault, abi: tokenVaultAbi, functionName: 'deposit' } as const
    await transactor.write({ ...deposit, args: [100n] })
  })

  const balance = (account: Address) =>
    world.transactor.client.readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [account],
    })

  function withdraw(
    amount: bigint,
    { task, response, signatureData }: Awaited<ReturnType<typeof attest>>,
    to: Address = recipient,
  ) {
    return world.transactor.write({
      address: vault,
      abi: tokenVaultAbi,
      functionName: 'withdraw',
      args: [to, amount, task, response, signatureData],
    })
  }

  const attested = (amount: bigint, evaluationResult = allow) =>
    attest(world, {
      policyClient: vault,
      intent: transferIntent(token, recipient, amount),
      evaluationResult,
    })

  it('pays the amount of the intent exactly once', async () => {
    expect(await balance(vault)).toBe(100n)
    const attestation = await attested(30n)
    await withdraw(30n, attestation)
    expect([await balance(vault), await balance(recipient)]).toEqual([70n, 30n])
    await expect(withdraw(30n, attestation)).rejects.toMatchObject({
      errorName: 'AttestationAlreadySpent',
    })
    expect([await balance(vault), await balance(recipient)]).toEqual([70n, 30n])
  })

  it('pays nothing on a denial, on CAP, or for another amount or recipient', async () => {
    await withdraw(1n, await attested(1n, deny))
    const cap = `0x${'0'.repeat(62)}20${'0'.repeat(63)}3${'434150'.padEnd(64, '0')}` as const
    await withdraw(1n, await attested(1n, cap))
    const attestation = await attested(1n)
    for (const attempt of [
      () => withdraw(2n, attestation),
      () => withdraw(1n, attestation, devAccount(8).address),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ errorName: 'IntentMismatch' })
    }
    expect([await balance(vault), await balance(recipient)]).toEqual([70n, 30n])
  })
})
