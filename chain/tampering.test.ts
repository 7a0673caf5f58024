import fc from 'fast-check'
import { responseDigest } from 'polgate-service/attestation/digest.ts'
import {
  decodeSignatureData,
  encodeSignatureData,
} from 'polgate-service/attestation/signatureData.ts'
import { attest } from 'polgate-service/attestation/testing/attest.ts'
import { mineTo, refusal, validate } from 'polgate-service/attestation/testing/calls.ts'
import {
  allow,
  startWorld,
  testKey,
  type World,
} from 'polgate-service/attestation/testing/world.ts'
import type { NonSignerStakesAndSignature } from 'polgate-service/attestation/types.ts'
import { hexToBytes, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from './accounts.ts'
import { postResponse, postTask } from './tasks.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

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

  it('is refused for a task of another intent with a matching id', async () => {
    const [first, second] = [await attest(world, { nonce: 70_000 }), await attest(world)]
    const { taskCreatedBlock } = first.task
    const mixed = { ...first, task: { ...second.task, taskCreatedBlock } }
    expect(await refusal(validate(world, mixed))).toBe('TaskResponseMismatch')
  })

  it('is refused if the operators signed another intent than that of the task', async () => {
    const attestation = await attest(world, {
      changeResponse: (response) => ({
        ...response,
        intent: { ...response.intent, to: devAccount(9).address },
      }),
    })
    expect(await refusal(validate(world, attestation))).toBe('TaskResponseMismatch')
  })

  it('is not posted if the operators signed another client than that of the task', async () => {
    const { transactor, protocol } = world
    const attestation = await attest(world, {
      changeResponse: (response) => ({ ...response, policyClient: devAccount(9).address }),
    })
    await postTask(transactor, protocol.taskManager, attestation.task)
    await expect(postResponse(transactor, protocol.taskManager, attestation)).rejects.toMatchObject(
      { errorName: 'TaskResponseMismatch' },
    )
  })

  it('is refused if another key signs it and is presented as the aggregate', async () => {
    const attestation = await attest(world)
    const stranger = testKey('stranger')
    const forged = encodeSignatureData({
      ...decodeSignatureData(attestation.signatureData),
      sigma: stranger.sign(responseDigest(attestation.response)),
      apkG2: stranger.pubkeyG2,
    })
    const call = validate(world, { ...attestation, signatureData: forged })
    expect(await refusal(call)).toBe('InvalidSignature')
  })

  it('is refused if its reference block is moved to postpone its expiry', async () => {
    const attestation = await attest(world)
    await mineTo(world, attestation.task.taskCreatedBlock + 25)
    const revived = {
      ...attestation.task,
      taskCreatedBlock: attestation.task.taskCreatedBlock + 25,
    }
    expect(await refusal(validate(world, { ...attestation, task: revived }))).toBe('TaskIdMismatch')
  })
})

function flipOne(pair: readonly [bigint, bigint], at: number, flip: (value: bigint) => bigint) {
  return pair.map((value, i) => (i === at ? flip(value) : value)) as [bigint, bigint]
}
