import { startWorld, type World } from 'polgate-service/attestation/testing/world.ts'
import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  padHex,
  toHex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytecodeOf } from './artifact.ts'
import { contextReaderAbi } from './artifacts/abis.ts'
import { readIntentDomain } from './reads.ts'

const contract = getAddress(`0x${'c1'.repeat(20)}`)
const salt = `0x${'5a'.repeat(32)}` as const
const stated = {
  fields: '0x0f' as Hex,
  name: '0x5661756c74' as Hex,
  version: '0x31' as Hex,
  chainId: 1n,
  verifyingContract: contract,
  salt,
  extensions: [] as bigint[],
}
function encoded(change: Partial<typeof stated> = {}): Hex {
  const { fields, name, version, chainId, verifyingContract, extensions, ...rest } = {
    ...stated,
    ...change,
  }
  return encodeAbiParameters(
    ['bytes1', 'bytes', 'bytes', 'uint256', 'address', 'bytes32', 'uint256[]'].map((type) => ({
      type,
    })),
    [fields, name, version, chainId, verifyingContract, rest.salt, extensions],
  )
}
describe('readIntentDomain', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(() => world.stop())

  const setCode = async (code: Hex) => {
    const params = [contract, code]
    await world.transactor.client.request({ method: 'anvil_setCode', params } as never)
  }
  const returning = (data: Hex): Hex => {
    const size = toHex((data.length - 2) / 2, { size: 2 })
    return concatHex(['0x61', size, '0x61000d5f3961', size, '0x5ff3', data])
  }

  it.each<[string, Hex]>([
    ['an account without code', '0x'],
    ['a contract that reverts', '0x5f5ffd'],
    ['a contract that fails', '0xfe'],
    ['a contract that burns all gas', '0x5b5f56'],
    ['a contract that returns 100,000 bytes', '0x620186a05ff3'],
    ['a contract that reverts with 100,000 bytes', '0x620186a05ffd'],
    ['a contract that returns something else', returning(padHex('0x01', { size: 32 }))],
  ])('returns no domain for %s', async (_, code) => {
    await setCode(code)
    expect(await readIntentDomain(world.transactor.client, contract)).toBeUndefined()
  })

  it('never mistakes a gas limit of the node for a missing domain', async () => {
    await setCode(returning(encoded()))
    const { client } = world.transactor
    const data = encodeFunctionData({
      abi: contextReaderAbi,
      functionName: 'readSigningDomain',
      args: [contract],
    })
    const code = bytecodeOf('ContextReader')
    const outcomes = new Set<string>()
    for (let gas = 100_000n; gas <= 4_000_000n; gas += 60_000n) {
      const read = client.call({ code, data, gas }).then(
        ({ data: told }) => (told?.includes('5661756c74') ? 'domain' : 'no domain'),
        () => 'error',
      )
      outcomes.add(await read)
    }
    expect([...outcomes]).toEqual(['error', 'domain'])
  })
})
