import fc from 'fast-check'
import { responseDigest } from 'polgate-service/attestation/digest.ts'
import { prepare } from 'polgate-service/attestation/testing/attest.ts'
import { startWorld, type World } from 'polgate-service/attestation/testing/world.ts'
import { type Hex, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from './accounts.ts'
import { taskManagerAbi } from './artifacts/abis.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

describe('the signed message (decision C2)', () => {
  const data = fc.uint8Array({ maxLength: 70 }).map((bytes) => toHex(bytes))
  // As long as a signature, none at all, and what fills words or does not.
  const attestations = fc
    .oneof(fc.constantFrom(0, 1, 31, 32, 33, 64, 65, 96), fc.nat({ max: 200 }))
    .map((length) => toHex(new Uint8Array(length).fill(0xab)))

  it('is the same on and off chain, for any response', async () => {
    const { response } = await prepare(world)
    const { client } = world.transactor
    const base = response.policyTaskData.policyData[0]!
    const entry = fc
      .record({ wasmArgs: data, data, attestation: attestations, expireBlock: fc.nat() })
      .map((members) => ({ ...base, ...members }))
    await fc.assert(
      fc.asyncProperty(
        fc.record({ data, functionSignature: data }),
        fc.record({ intentSignature: data, evaluationResult: data }),
        fc.record({ policy: data, policyData: fc.array(entry, { maxLength: 4 }) }),
        fc.record({ policyParams: data, expireAfter: fc.nat() }),
        async (intent, members, policyTaskData, policyConfig) => {
          const changed = {
            ...{ ...response, ...members, policyConfig },
            intent: { ...response.intent, ...intent },
            policyTaskData: { ...response.policyTaskData, ...policyTaskData },
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
      { numRuns: 100 },
    )
  })

  it('covers every member of the response except the attestations', async () => {
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
