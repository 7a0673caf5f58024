import fc from 'fast-check'
import {
  encodeAbiParameters,
  type Hex,
  hexToBytes,
  parseEventLogs,
  toFunctionSelector,
  toHex,
} from 'viem'
import { getAbiItem } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { responseDigest } from '../impl/attestation/digest.ts'
import { attestPolicyData } from '../impl/attestation/policyDataAttestation.ts'
import { decodeSignatureData, encodeSignatureData } from '../impl/attestation/signatureData.ts'
import { attest, prepare } from '../impl/attestation/testing/attest.ts'
import { execute, mineTo, simulateExecute, validate } from '../impl/attestation/testing/calls.ts'
import { allow, deny, startWorld, type World } from '../impl/attestation/testing/world.ts'
import type { NonSignerStakesAndSignature } from '../impl/attestation/types.ts'
import { devAccount } from './accounts.ts'
import { taskManagerAbi } from './artifacts/abis.ts'
import { decodeRevert } from './customErrors.ts'
import { deployPolicy, deployPolicyClient, deployPolicyData, setPolicy } from './deploy.ts'
import { readAttestationState } from './reads.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

/** The custom error that a call was refused with. */
const refusal = (call: Promise<unknown>) =>
  call.then(
    (returned) => `accepted: ${returned}`,
    (error: unknown) => decodeRevert(error)?.errorName ?? `refused: ${String(error)}`,
  )

describe('validateAttestationDirect', () => {
  it('has the selector of decisions.md section 3', () => {
    const item = getAbiItem({ abi: taskManagerAbi, name: 'validateAttestationDirect' })
    expect(toFunctionSelector(item)).toBe('0x882d309e')
  })

  it('allows, spends and says so in an event', async () => {
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

  it('denies without reverting, and spends what it denied', async () => {
    const attestation = await attest(world, { evaluationResult: deny })
    expect(await validate(world, attestation)).toBe(false)
    await execute(world, attestation)
    expect(await refusal(validate(world, attestation))).toBe('AttestationAlreadySpent')
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
    const attestation = await attest(world, {
      changeResponse: (response) => ({
        ...response,
        policyConfig: { ...response.policyConfig, expireAfter: 51 },
      }),
    })
    const expireBlock = attestation.task.taskCreatedBlock + 50
    await mineTo(world, expireBlock - 1)
    expect(await validate(world, attestation)).toBe(true)
    await mineTo(world, expireBlock)
    expect(await refusal(validate(world, attestation))).toBe('PolicyDataExpired')
  })

  it('stops being valid when the client changes its configuration', async () => {
    const { transactor, protocol, policy } = world
    const policyClient = await deployPolicyClient(transactor, protocol, { kind: 'sample', policy })
    const attestation = await attest(world, { policyClient })
    expect(await validate(world, attestation)).toBe(true)
    await setPolicy(transactor, policyClient, { policy, policyParams: '{"limit":2}' })
    expect(await refusal(validate(world, attestation))).toBe('PolicyIdNotCurrent')
  })

  it('takes a policy without oracles', async () => {
    const { transactor, protocol } = world
    const policy = await deployPolicy(transactor, protocol, { entrypoint: 'a.b', policyCid: 'c' })
    const policyClient = await deployPolicyClient(transactor, protocol, { kind: 'sample', policy })
    const attestation = await attest(world, {
      policyClient,
      changeResponse: (response) => ({
        ...response,
        policyTaskData: { ...response.policyTaskData, policyData: [] },
      }),
    })
    expect(await validate(world, attestation)).toBe(true)
  })
})

describe('the order of checks (decision C7)', () => {
  /** Each fault is of one check; a later one must not show while an earlier one is there. */
  const stranger = devAccount(9).address
  const order = [
    'AttestationForAnotherClient',
    'StalePolicy',
    'SenderIsNotIntentFrom',
    'IntentForAnotherChain',
    'AttestationAlreadySpent',
    'InvalidSignature',
    'AttestationExpired',
  ]

  it.each(order.map((error, faults) => [error, faults] as const))(
    'shows %s before what comes after it',
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
        },
        signatureData:
          firstFault <= 5
            ? encodeSignatureData({ ...evidence, sigma: evidence.quorumApks[0]! })
            : attestation.signatureData,
      }
      await mineTo(world, attestation.task.taskCreatedBlock + 20)
      const from = firstFault <= 2 && firstFault !== 2 ? stranger : world.transactor.account.address
      expect(await refusal(simulateExecute(world, broken, from))).toBe(error)
    },
  )
})

describe('the signed message (decision C2)', () => {
  const data = fc.uint8Array({ maxLength: 40 }).map((bytes) => toHex(bytes))

  it('is computed alike on and off chain, whatever the response holds', async () => {
    const { response } = await prepare(world)
    const { client } = world.transactor
    await fc.assert(
      fc.asyncProperty(
        data,
        data,
        data,
        fc.nat(),
        async (intentData, attestation, output, expiry) => {
          const entry = { ...response.policyTaskData.policyData[0]!, data: output, attestation }
          const changed = {
            ...response,
            intent: { ...response.intent, data: intentData },
            policyTaskData: { ...response.policyTaskData, policyData: [entry, entry] },
            policyConfig: { ...response.policyConfig, expireAfter: expiry },
          }
          const onChain = await client.readContract({
            address: world.protocol.taskManager,
            abi: taskManagerAbi,
            functionName: 'responseDigest',
            args: [changed],
          })
          expect(onChain).toBe(responseDigest(changed))
        },
      ),
      { numRuns: 20 },
    )
  })

  it('covers every member of the response but the attestations', async () => {
    const { response } = await prepare(world)
    const digest = responseDigest(response)
    const seen = new Set([digest])
    const differs = (changed: typeof response) => {
      const other = responseDigest(changed)
      expect(seen.has(other)).toBe(false)
      seen.add(other)
    }
    const word: Hex = `0x${'44'.repeat(32)}`
    const { address } = devAccount(5)
    const { intent, policyTaskData } = response
    for (const change of [
      { taskId: word },
      { policyClient: address },
      { policyId: word },
      { policyAddress: address },
      { intentSignature: word },
      { evaluationResult: word },
      { policyConfig: { ...response.policyConfig, policyParams: word } },
      { policyConfig: { ...response.policyConfig, expireAfter: 7 } },
    ]) {
      differs({ ...response, ...change })
    }
    for (const change of [
      { from: address },
      { to: address },
      { value: 9n },
      { data: word },
      { chainId: 9n },
      { functionSignature: word },
    ]) {
      differs({ ...response, intent: { ...intent, ...change } })
    }
    for (const change of [{ policyId: word }, { policyAddress: address }, { policy: word }]) {
      differs({ ...response, policyTaskData: { ...policyTaskData, ...change } })
    }
    const withEntry = (change: object) => ({
      ...response,
      policyTaskData: {
        ...policyTaskData,
        policyData: policyTaskData.policyData.map((entry) => ({ ...entry, ...change })),
      },
    })
    for (const change of [
      { wasmArgs: word },
      { data: word },
      { policyDataAddress: address },
      { expireBlock: 1 },
    ]) {
      differs(withEntry(change))
    }
    expect(responseDigest(withEntry({ attestation: word }))).toBe(digest)
  })
})

describe('a changed attestation', () => {
  it('is refused for any flipped bit of its aggregate signature', async () => {
    const attestation = await attest(world, { signers: world.operators.slice(0, 3) })
    const evidence = decodeSignatureData(attestation.signatureData)
    const words: ((word: (value: bigint) => bigint) => NonSignerStakesAndSignature)[] = [
      (flip) => ({ ...evidence, sigma: { ...evidence.sigma, X: flip(evidence.sigma.X) } }),
      (flip) => ({ ...evidence, sigma: { ...evidence.sigma, Y: flip(evidence.sigma.Y) } }),
      ...[0, 1].flatMap((i) => [
        (flip: (value: bigint) => bigint) => ({
          ...evidence,
          apkG2: { ...evidence.apkG2, X: flipOne(evidence.apkG2.X, i, flip) },
        }),
        (flip: (value: bigint) => bigint) => ({
          ...evidence,
          apkG2: { ...evidence.apkG2, Y: flipOne(evidence.apkG2.Y, i, flip) },
        }),
      ]),
      (flip) => ({
        ...evidence,
        quorumApks: evidence.quorumApks.map((p) => ({ ...p, X: flip(p.X) })),
      }),
      (flip) => ({
        ...evidence,
        quorumApks: evidence.quorumApks.map((p) => ({ ...p, Y: flip(p.Y) })),
      }),
      (flip) => ({
        ...evidence,
        nonSignerPubkeys: evidence.nonSignerPubkeys.map((p) => ({ ...p, X: flip(p.X) })),
      }),
      (flip) => ({
        ...evidence,
        nonSignerPubkeys: evidence.nonSignerPubkeys.map((p) => ({ ...p, Y: flip(p.Y) })),
      }),
    ]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...words), fc.nat({ max: 255 }), async (change, bit) => {
        const changed = change((value) => value ^ (1n << BigInt(bit)))
        const call = validate(world, {
          ...attestation,
          signatureData: encodeSignatureData(changed),
        })
        await expect(call).rejects.toThrow()
      }),
      { numRuns: 100 },
    )
    expect(await validate(world, attestation)).toBe(true)
  })

  it('is refused for any flipped bit of signature_data', async () => {
    const attestation = await attest(world, { signers: world.operators.slice(0, 3) })
    const bytes = hexToBytes(attestation.signatureData)
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: bytes.length * 8 - 1 }), async (bit) => {
        const flipped = bytes.slice()
        flipped[bit >> 3]! ^= 1 << (bit & 7)
        const call = validate(world, { ...attestation, signatureData: toHex(flipped) })
        await expect(call).rejects.toThrow()
      }),
      { numRuns: 100 },
    )
  })

  it.each([
    ['nonce', { nonce: 9_999 }, 'TaskIdMismatch'],
    ['task id', { taskId: allow }, 'TaskIdMismatch'],
    ['threshold over 100', { quorumThresholdPercentage: 101 }, 'ThresholdOutOfRange'],
    ['arguments of the oracles', { wasmArgs: '0x7b7d' as const }, 'TaskResponseMismatch'],
    ['intent signature', { intentSignature: '0x00' as const }, 'TaskResponseMismatch'],
    ['quorum', { quorumNumbers: '0x01' as const }, 'WrongHistoryIndex'],
    ['no quorums', { quorumNumbers: '0x' as const }, 'NoQuorums'],
  ])('is refused for another %s of the task', async (_, change, error) => {
    const attestation = await attest(world)
    const changed = { ...attestation, task: { ...attestation.task, ...change } }
    expect(await refusal(validate(world, changed))).toBe(error)
  })

  it('is refused for a task of another intent, though its id fits it', async () => {
    const [first, second] = [await attest(world, { nonce: 70_000 }), await attest(world)]
    const { taskCreatedBlock } = first.task
    const mixed = { ...first, task: { ...second.task, taskCreatedBlock } }
    expect(await refusal(validate(world, mixed))).toBe('TaskResponseMismatch')
  })

  it('is refused when its reference block is moved to outlive its expiry', async () => {
    const attestation = await attest(world)
    await mineTo(world, attestation.task.taskCreatedBlock + 25)
    const revived = {
      ...attestation.task,
      taskCreatedBlock: attestation.task.taskCreatedBlock + 25,
    }
    expect(await refusal(validate(world, { ...attestation, task: revived }))).toBe(
      'ReferenceBlockMismatch',
    )
  })
})

describe('attested data (decision C8)', () => {
  const attester = devAccount(6)

  async function attested(signer = attester) {
    const { transactor, protocol } = world
    const cids = { wasmCid: 'bafyattested', secretsSchemaCid: 'bafyschema' }
    const deployment = {
      ...cids,
      expireAfter: 50,
      attesters: [devAccount(5).address, attester.address],
    }
    const policyData = await deployPolicyData(transactor, deployment)
    const policy = await deployPolicy(transactor, protocol, {
      entrypoint: 'a.b',
      policyCid: 'c',
      policyData: [policyData],
    })
    const policyClient = await deployPolicyClient(transactor, protocol, { kind: 'sample', policy })
    const attestation = await attest({ ...world, policyData }, { policyClient })
    const { response } = attestation
    const entry = response.policyTaskData.policyData[0]!
    const signature = await attestPolicyData({ ...entry, ...cids }, signer)
    const withAttestation = (bytes: Hex) => ({
      ...attestation,
      response: {
        ...response,
        policyTaskData: {
          ...response.policyTaskData,
          policyData: [{ ...entry, attestation: bytes }],
        },
      },
    })
    return { signature, withAttestation }
  }

  it('passes with the signature of a listed attester', async () => {
    const { signature, withAttestation } = await attested()
    expect(await validate(world, withAttestation(signature))).toBe(true)
  })

  it('is refused without one, with a changed one and with one of a stranger', async () => {
    const { signature, withAttestation } = await attested()
    const foreign = await attested(devAccount(4))
    for (const changed of [
      withAttestation('0x'),
      withAttestation(`${signature.slice(0, -4)}ff1b` as Hex),
      foreign.withAttestation(foreign.signature),
    ]) {
      expect(await refusal(validate(world, changed))).toBe('PolicyDataAttestationInvalid')
    }
  })
})

function flipOne(pair: readonly [bigint, bigint], at: number, flip: (value: bigint) => bigint) {
  return pair.map((value, i) => (i === at ? flip(value) : value)) as [bigint, bigint]
}
