import { attestPolicyData } from 'polgate-service/attestation/policyDataAttestation.ts'
import { attest } from 'polgate-service/attestation/testing/attest.ts'
import { refusal, validate } from 'polgate-service/attestation/testing/calls.ts'
import { startWorld, type World } from 'polgate-service/attestation/testing/world.ts'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from './accounts.ts'
import { policyDataAbi } from './artifacts/abis.ts'
import { deployPolicy, deployPolicyClient, deployPolicyData } from './deploy.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

describe('attested data (decision C8)', () => {
  const attester = devAccount(6)

  async function attested(signer = attester, wasmCid = 'bafyattested') {
    const { transactor, protocol } = world
    const cids = { wasmCid, secretsSchemaCid: 'bafyschema' }
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

  it.each([0, 1, 31, 32, 33, 59, 63, 64, 65, 200])(
    'passes with a CID of %i bytes',
    async (length) => {
      const wasmCid = 'bafy'.repeat(50).slice(0, length)
      const { signature, withAttestation } = await attested(attester, wasmCid)
      const attestation = withAttestation(signature)
      expect(await validate(world, attestation)).toBe(true)
      const [entry] = attestation.response.policyTaskData.policyData
      const source = { address: entry!.policyDataAddress, abi: policyDataAbi } as const
      const read = { ...source, functionName: 'getWasmCid' } as const
      expect(await world.transactor.client.readContract(read)).toBe(wasmCid)
    },
  )

  it('passes with the signature of any listed attester', async () => {
    const { signature, withAttestation } = await attested(devAccount(5))
    expect(await validate(world, withAttestation(signature))).toBe(true)
  })

  it('is refused without a signature, with a changed one, and with one of another account', async () => {
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
