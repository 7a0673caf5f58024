import fc from 'fast-check'
import { type Hex, hashTypedData, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { signingAccount } from './signingAccount.ts'
import { typedDataDigest } from './typedDataDigest.ts'

const word = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => toHex(bytes))
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const keys = fc.bigInt({ min: 1n, max: order - 1n }).map((key) => toHex(key, { size: 32 }))
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => toHex(bytes) as Hex)

const typed = fc.record({
  domain: fc.record(
    {
      name: fc.string(),
      version: fc.string(),
      chainId: fc.nat(),
      verifyingContract: address,
      salt: word,
    },
    { requiredKeys: [] },
  ),
  message: fc.record({
    owner: address,
    reference: fc.string(),
    data: fc.uint8Array({ maxLength: 70 }).map((bytes) => toHex(bytes)),
    deadline: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  }),
})
const types = {
  types: {
    Example: [
      { name: 'owner', type: 'address' },
      { name: 'reference', type: 'string' },
      { name: 'data', type: 'bytes' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'Example',
} as const

describe('an account', () => {
  it('signs digests as the account of viem', async () => {
    await fc.assert(
      fc.asyncProperty(keys, word, async (key, hash) => {
        const account = signingAccount(key)
        expect(await account.sign({ hash })).toBe(await privateKeyToAccount(key).sign({ hash }))
      }),
    )
  })

  it('signs typed data as the account of viem', async () => {
    await fc.assert(
      fc.asyncProperty(keys, typed, async (key, given) => {
        const data = { ...given, ...types }
        expect(await signingAccount(key).signTypedData(data)).toBe(
          await privateKeyToAccount(key).signTypedData(data),
        )
      }),
    )
  })

  it('has the address of its key, and does not show the key', () => {
    const key: Hex = `0x${'5a'.repeat(32)}`
    const account = signingAccount(key)
    expect(account.address).toBe(privateKeyToAccount(key).address)
    expect(JSON.stringify(account)).not.toContain('5a5a')
  })
})

it('the digest of typed data is that of viem, for any domain', () => {
  fc.assert(
    fc.property(typed, (given) => {
      const data = { ...given, ...types }
      expect(typedDataDigest(data)).toBe(hashTypedData(data))
    }),
  )
})
