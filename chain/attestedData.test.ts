import fc from 'fast-check'
import {
  type AttestedData,
  attestPolicyData,
} from 'polgate-service/attestation/policyDataAttestation.ts'
import { attest } from 'polgate-service/attestation/testing/attest.ts'
import { refusal, validate } from 'polgate-service/attestation/testing/calls.ts'
import { startWorld, type World } from 'polgate-service/attestation/testing/world.ts'
import { concatHex, type Hex, size, slice, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from './accounts.ts'
import { policyDataAbi } from './artifacts/abis.ts'
import { deployPolicy, deployPolicyClient, deployPolicyData } from './deploy.ts'
import { readPolicyData } from './reads.ts'
import { deployEarlierPolicyData } from './testing/earlierContracts.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const attester = devAccount(6)
const cids = { wasmCid: 'bafyattested', secretsSchemaCid: 'bafyschema' }
const forms = [1, 2] as const
type Form = (typeof forms)[number]

/** A PolicyData whose attesters sign a form of the digest. */
async function sourceOf(form: Form, change: Partial<typeof cids> = {}) {
  const attesters = [devAccount(5).address, attester.address]
  const deployment = { ...cids, ...change, expireAfter: 50, attesters }
  const deploy = form === 1 ? deployEarlierPolicyData : deployPolicyData
  const policyDataAddress = await deploy(world.transactor, deployment)
  const { chainId } = world.transactor
  return { ...cids, ...change, policyDataAddress, chainId, digestVersion: form }
}

type Source = Awaited<ReturnType<typeof sourceOf>>

/** The answer of the PolicyData itself. */
function verify(
  { policyDataAddress: address }: Pick<Source, 'policyDataAddress'>,
  { wasmArgs, data, expireBlock }: Pick<AttestedData, 'wasmArgs' | 'data' | 'expireBlock'>,
  attestation: Hex,
): Promise<boolean> {
  const { client } = world.transactor
  const args = [wasmArgs, data, expireBlock, attestation] as const
  const call = { address, abi: policyDataAbi, functionName: 'verifyAttestation', args } as const
  return client.readContract(call)
}

describe.each(forms)('data attested in form %i (decision C8)', (form) => {
  async function attested(signer = attester, wasmCid = cids.wasmCid) {
    const { transactor, protocol } = world
    const source = await sourceOf(form, { wasmCid })
    const policy = await deployPolicy(transactor, protocol, {
      entrypoint: 'a.b',
      policyCid: 'c',
      policyData: [source.policyDataAddress],
    })
    const policyClient = await deployPolicyClient(transactor, protocol, { kind: 'sample', policy })
    const attestation = await attest(world, { policyClient })
    const { response } = attestation
    const entry = response.policyTaskData.policyData[0]!
    const signature = await attestPolicyData({ ...entry, ...source }, signer)
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

  it('is what the gateway reads that the contract verifies', async () => {
    const { client } = world.transactor
    const { policyDataAddress: policyData, ...source } = await sourceOf(form)
    const { digestVersion, ...read } = await readPolicyData({ client, policyData })
    expect(read).toMatchObject(cids)
    expect(digestVersion).toBe(form)
    const given = { ...source, policyDataAddress: policyData, expireBlock: 9 }
    const bytes = { wasmArgs: '0x7b7d', data: '0x7b7d' } as const
    for (const signed of forms) {
      const attestation = await attestPolicyData(
        { ...given, ...bytes, digestVersion: signed },
        attester,
      )
      expect(await verify(given, { ...given, ...bytes }, attestation)).toBe(signed === form)
    }
  })

  it('is attested alike by contract and gateway, for any bytes', async () => {
    const source = await sourceOf(form)
    const bytes = fc.uint8Array({ maxLength: 70 }).map((value) => toHex(value))
    const entries = fc.record({ wasmArgs: bytes, data: bytes, expireBlock: fc.nat() })
    await fc.assert(
      fc.asyncProperty(entries, async (entry) => {
        const attestation = await attestPolicyData({ ...source, ...entry }, attester)
        expect(await verify(source, entry, attestation)).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
})

describe('an attestation of data', () => {
  const entry = { wasmArgs: toHex('{"limit":1}'), data: toHex('{"feed":2}'), expireBlock: 77 }

  /** What the contract answers for each division of the attested bytes into arguments and data. */
  async function divisionsOf(form: Form): Promise<readonly boolean[]> {
    const source = await sourceOf(form)
    const attestation = await attestPolicyData({ ...source, ...entry }, attester)
    const all = concatHex([entry.wasmArgs, entry.data])
    const places = Array.from({ length: size(all) + 1 }, (_, place) => place)
    return await Promise.all(
      places.map((place) => {
        const wasmArgs = place === 0 ? '0x' : slice(all, 0, place)
        const data = place === size(all) ? '0x' : slice(all, place)
        return verify(source, { ...entry, wasmArgs, data }, attestation)
      }),
    )
  }

  it('holds for one division of its bytes into arguments and data, for all in the first form', async () => {
    expect(new Set(await divisionsOf(1))).toEqual(new Set([true]))
    const divisions = await divisionsOf(2)
    expect(divisions.flatMap((valid, place) => (valid ? [place] : []))).toEqual([
      size(entry.wasmArgs),
    ])
  })

  it.each([
    [1, true],
    [2, false],
  ] as const)('in form %i signed for another chain is valid: %s', async (form, valid) => {
    const source = await sourceOf(form)
    const chainId = source.chainId + 1
    const attestation = await attestPolicyData({ ...source, ...entry, chainId }, attester)
    expect(await verify(source, entry, attestation)).toBe(valid)
  })

  it.each([
    [1, true],
    [2, false],
  ] as const)('in form %i with a shifted content id is valid: %s', async (form, valid) => {
    const source = await sourceOf(form)
    const moved = { wasmCid: `${cids.wasmCid}ba`, secretsSchemaCid: 'fyschema' }
    const attestation = await attestPolicyData({ ...source, ...entry, ...moved }, attester)
    expect(await verify(source, entry, attestation)).toBe(valid)
  })
})
