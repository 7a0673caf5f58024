import fc from 'fast-check'
import { devAccount } from 'polgate-chain/accounts.ts'
import { type Hex, recoverAddress, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { recoverSigner } from './recoverSigner.ts'

const account = devAccount(3)
const digests = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => toHex(bytes))
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const word = (value: bigint) => value.toString(16).padStart(64, '0')

const expected = async (hash: Hex, signature: Hex) =>
  await recoverAddress({ hash, signature }).then(
    (address) => address.toLowerCase(),
    () => undefined,
  )

describe('the signer of a digest', () => {
  it('is the account whose key signed', async () => {
    await fc.assert(
      fc.asyncProperty(digests, async (digest) => {
        const signature = await account.sign({ hash: digest })
        expect(await recoverSigner(digest, signature)).toBe(account.address.toLowerCase())
      }),
    )
  })

  it('is what viem finds, for signatures of which bytes were changed', async () => {
    const change = fc.tuple(fc.nat({ max: 64 }), fc.nat({ max: 255 }))
    await fc.assert(
      fc.asyncProperty(digests, fc.array(change, { maxLength: 3 }), async (digest, changes) => {
        const bytes = Buffer.from((await account.sign({ hash: digest })).slice(2), 'hex')
        for (const [at, byte] of changes) bytes[at] = byte
        const signature = toHex(bytes)
        expect(await recoverSigner(digest, signature)).toBe(await expected(digest, signature))
      }),
    )
  })

  it.each([0n, 1n, order - 1n, order, order + 1n, 2n ** 256n - 1n])(
    'is what viem finds, for %d as r or s',
    async (value) => {
      const digest: Hex = `0x${'5a'.repeat(32)}`
      const valid = (await account.sign({ hash: digest })).slice(2)
      for (const v of ['00', '01', '1b', '1c', '02', '1d', 'ff'])
        for (const parts of [
          word(value) + valid.slice(64, 128),
          valid.slice(0, 64) + word(value),
        ]) {
          const signature: Hex = `0x${parts}${v}`
          expect(await recoverSigner(digest, signature)).toBe(await expected(digest, signature))
        }
    },
  )

  it.each(['0x', `0x${'11'.repeat(64)}`, `0x${'11'.repeat(66)}`] as const)(
    'is undefined for %s',
    async (signature) => {
      expect(await recoverSigner(`0x${'5a'.repeat(32)}`, signature)).toBeUndefined()
    },
  )
})
