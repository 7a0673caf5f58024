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
  const data = fc.uint8Array({ maxLength: 40 }).map((bytes) => toHex(bytes))

  it('is the same on and off chain, for any response', async () => {
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
