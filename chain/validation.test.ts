import {
  decodeSignatureData,
  encodeSignatureData,
} from 'polgate-service/attestation/signatureData.ts'
import { attest } from 'polgate-service/attestation/testing/attest.ts'
import {
  execute,
  mineTo,
  refusal,
  simulateExecute,
  validate,
} from 'polgate-service/attestation/testing/calls.ts'
import { allow, deny, startWorld, type World } from 'polgate-service/attestation/testing/world.ts'
import { encodeAbiParameters, type Hex, parseEventLogs, toFunctionSelector, toHex } from 'viem'
import { getAbiItem } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from './accounts.ts'
import { taskManagerAbi } from './artifacts/abis.ts'
import { deployPolicy, deployPolicyClient, setPolicy } from './deploy.ts'
import { readAttestationState } from './reads.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

describe('validateAttestationDirect', () => {
  it('has the selector of decisions.md section 3', () => {
    const item = getAbiItem({ abi: taskManagerAbi, name: 'validateAttestationDirect' })
    expect(toFunctionSelector(item)).toBe('0x882d309e')
  })

  it('allows, spends and emits an event', async () => {
    const attestation = await attest(world)
    expect(await validate(world, attestation)).toBe(true)
    const receipt = await execute(world, attestation)
    const logs = parseEventLogs({ abi: taskManagerAbi, logs: receipt.logs })
    const { taskId, policyClient } = attestation.task
    expect(logs.map(({ eventName, args }) => ({ eventName, args }))).toEqual([
      { eventName: 'AttestationSpent', args: { taskId, policyClient, allowed: true } },
    ])
    const { client } = world.transactor
    const state = await readAttestationState(client, world.protocol.taskManager, taskId)
    expect(state).toMatchObject({ created: false, spent: true, challenged: false })
  })

  it('denies without reverting, and spends the attestation', async () => {
    const attestation = await attest(world, { evaluationResult: deny })
    expect(await validate(world, attestation)).toBe(false)
    await execute(world, attestation)
    expect(await refusal(validate(world, attestation))).toBe('AttestationAlreadySpent')
  })

  it('allows each of two tasks of one intent, which other keys sent, once', async () => {
    const intent = { functionSignature: '0x2e' as const }
    const first = await attest(world, { intent, nonce: 0 })
    const { taskCreatedBlock: referenceBlock } = first.task
    const second = await attest(world, { intent, nonce: 1, referenceBlock })
    expect(second.response.intent).toEqual(first.response.intent)
    for (const attestation of [first, second]) {
      expect(await validate(world, attestation)).toBe(true)
      await execute(world, attestation)
      expect(await refusal(validate(world, attestation))).toBe('AttestationAlreadySpent')
    }
    const { client } = world.transactor
    for (const { task } of [first, second]) {
      const state = await readAttestationState(client, world.protocol.taskManager, task.taskId)
      expect(state).toMatchObject({ spent: true, challenged: false })
    }
  })

  const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value])
  it.each<[string, Hex, boolean]>([
    ['uint 1', allow, true],
    ['the string true', text('true'), true],
    ['uint 0', deny, false],
    ['uint 2', `0x${'0'.repeat(63)}2`, false],
    ['the string CAP', text('CAP'), false],
    ['the string ALLOW', text('ALLOW'), false],
    ['the string True', text('True'), false],
    ['the bare bytes of true', toHex('true'), false],
    ['one byte 1', '0x01', false],
    ['nothing', '0x', false],
    ['UTF-8 JSON', toHex('{"allow":true}'), false],
  ])('decides on %s', async (_, evaluationResult, allowed) => {
    expect(await validate(world, await attest(world, { evaluationResult }))).toBe(allowed)
  })

  it('is valid up to the block before its expiration', async () => {
    const attestation = await attest(world)
    const { taskCreatedBlock } = attestation.task
    const { expireAfter } = attestation.response.policyConfig
    await mineTo(world, taskCreatedBlock + expireAfter - 1)
    expect(await validate(world, attestation)).toBe(true)
    await mineTo(world, taskCreatedBlock + expireAfter)
    expect(await refusal(validate(world, attestation))).toBe('AttestationExpired')
  })

  it('is valid up to the block before its data expires', async () => {
    const { transactor, protocol, policy } = world
    const given = { kind: 'sample', policy, expireAfter: 51 } as const
    const policyClient = await deployPolicyClient(transactor, protocol, given)
    const attestation = await attest(world, { policyClient })
    const expireBlock = attestation.task.taskCreatedBlock + 50
    await mineTo(world, expireBlock - 1)
    expect(await validate(world, attestation)).toBe(true)
    await mineTo(world, expireBlock)
    expect(await refusal(validate(world, attestation))).toBe('PolicyDataExpired')
  })

  it('becomes invalid when the client changes its configuration', async () => {
    const { transactor, protocol, policy } = world
    const policyClient = await deployPolicyClient(transactor, protocol, { kind: 'sample', policy })
    const attestation = await attest(world, { policyClient })
    expect(await validate(world, attestation)).toBe(true)
    await setPolicy(transactor, policyClient, { policy, policyParams: '{"limit":2}' })
    expect(await refusal(validate(world, attestation))).toBe('PolicyIdNotCurrent')
  })

  it('accepts a policy without oracles', async () => {
    const { transactor, protocol } = world
    const policy = await deployPolicy(transactor, protocol, { entrypoint: 'a.b', policyCid: 'c' })
    const policyClient = await deployPolicyClient(transactor, protocol, { kind: 'sample', policy })
    const attestation = await attest(world, { policyClient })
    expect(attestation.response.policyTaskData.policyData).toEqual([])
    expect(await validate(world, attestation)).toBe(true)
  })
})

describe('the order of checks (decision C7)', () => {
  /** Each fault fails one check; it must hide all later ones. */
  const stranger = devAccount(9).address
  const order = [
    'AttestationForAnotherClient',
    'StalePolicy',
    'SenderIsNotIntentFrom',
    'IntentForAnotherChain',
    'AttestationAlreadySpent',
    'PolicyConfigMismatch',
    'InvalidSignature',
    'AttestationExpired',
  ]

  it.each(order.map((error, faults) => [error, faults] as const))(
    'reports %s before later faults',
    async (error, firstFault) => {
      const has = (fault: number) => fault >= firstFault
      const attestation = await attest(world, {
        intent: {
          ...(has(2)
            ? { from: firstFault === 2 ? stranger : world.transactor.account.address }
            : {}),
          ...(firstFault <= 3 ? { chainId: 1n } : {}),
        },
      })
      if (firstFault === 4) await execute(world, attestation)
      const { response } = attestation
      const evidence = decodeSignatureData(attestation.signatureData)
      const broken = {
        ...attestation,
        response: {
          ...response,
          ...(firstFault === 0 ? { policyClient: stranger } : {}),
          ...(firstFault <= 1 ? { policyId: allow } : {}),
          ...(firstFault <= 5
            ? { policyConfig: { ...response.policyConfig, expireAfter: 7 } }
            : {}),
        },
        signatureData:
          firstFault <= 6
            ? encodeSignatureData({ ...evidence, sigma: evidence.quorumApks[0]! })
            : attestation.signatureData,
      }
      await mineTo(world, attestation.task.taskCreatedBlock + 20)
      const from = firstFault <= 2 && firstFault !== 2 ? stranger : world.transactor.account.address
      expect(await refusal(simulateExecute(world, broken, from))).toBe(error)
    },
  )
})
