import { concatHex, encodeAbiParameters, getAddress, type Hex, padHex, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { decodeIntentDomain } from './intentDomain.ts'

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
