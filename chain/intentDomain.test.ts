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
import { decodeIntentDomain } from './intentDomain.ts'
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
const usual = { name: 'Vault', version: '1', chainId: 1n, verifyingContract: contract }

describe('decodeIntentDomain', () => {
  it('has the members selected by the fields, as stated', () => {
    const named = { ...usual, salt }
    for (let fields = 0; fields < 32; fields += 1) {
      const present = Object.entries(named).filter((_, bit) => fields & (1 << bit))
      expect(decodeIntentDomain(encoded({ fields: toHex(fields, { size: 1 }) }))).toEqual(
        Object.fromEntries(present),
      )
    }
    expect(decodeIntentDomain(encoded({ version: '0x' }))).toEqual({ ...usual, version: '' })
    expect(decodeIntentDomain(encoded({ chainId: 2n ** 200n + 1n }))?.chainId).toBe(2n ** 200n + 1n)
    // A byte order mark is part of the hashed text.
    expect(decodeIntentDomain(encoded({ name: '0xefbbbf61' }))?.name).toBe('\ufeffa')
  })

  it.each<[string, Hex]>([
    ['nothing', '0x'],
    ['one word', padHex('0x01', { size: 32 })],
    ['a truncated result', encoded().slice(0, -64) as Hex],
    ['offsets beyond the result', concatHex([padHex('0x0f', { dir: 'right', size: 32 }), salt])],
    ['unknown fields', encoded({ fields: '0x2f' })],
    ['extensions', encoded({ extensions: [5267n] })],
    ['a name that is not UTF-8', encoded({ name: '0xff' })],
    ['a version that is not UTF-8', encoded({ version: '0xc3' })],
  ])('returns no domain for %s', (_, answer) => {
    expect(decodeIntentDomain(answer)).toBeUndefined()
  })
})

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
