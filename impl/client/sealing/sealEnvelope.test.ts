import fc from 'fast-check'
import { property } from 'polgate-lib/testing/property.ts'
import { encryptionKeyOf } from 'polgate-service/envelopes/encryptionKey.ts'
import { openEnvelope } from 'polgate-service/envelopes/envelope.ts'
import { describe, expect, it } from 'vitest'
import { encodeSecrets } from './encodeSecrets.ts'
import { sealEnvelope } from './sealEnvelope.ts'

const key = await encryptionKeyOf(new Uint8Array(32).fill(7))
const policyClient = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

describe('sealEnvelope', () => {
  property(
    {
      plaintext: fc.uint8Array({ maxLength: 2_000 }),
      client: fc.uint8Array({ minLength: 20, maxLength: 20 }),
      chainId: fc.maxSafeNat(),
      prefix: fc.constantFrom('', '0x'),
    },
    { numRuns: 30 },
  )('is opened by the service for its client and chain, and for no other', async (drawn) => {
    const { plaintext, chainId } = drawn
    const client = `0x${Buffer.from(drawn.client).toString('hex')}` as const
    const recipientPublicKey = `${drawn.prefix}${key.publicKey}`
    const envelope = await sealEnvelope({
      plaintext,
      policyClient: client,
      chainId,
      recipientPublicKey,
    })
    const opened = await openEnvelope({ envelope, key, policyClient: client, chainId })
    expect(Buffer.from(opened)).toEqual(Buffer.from(plaintext))
    const other = client.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')) as `0x${string}`
    await expect(openEnvelope({ envelope, key, policyClient: other, chainId })).rejects.toThrow()
    const next = chainId === 0 ? 1 : chainId - 1
    await expect(
      openEnvelope({ envelope, key, policyClient: client, chainId: next }),
    ).rejects.toThrow()
  })

  it.each([
    [{ recipientPublicKey: 'ab' }, 'public key'],
    [{ recipientPublicKey: 'zz'.repeat(32) }, 'public key'],
    [{ policyClient: '0x12' }, 'policyClient'],
    [{ chainId: -1 }, 'chainId'],
    [{ chainId: Number.NaN }, 'chainId'],
  ])('refuses %j, and does not quote what was to be sealed', async (wrong, text) => {
    const plaintext = new TextEncoder().encode('top secret')
    const options = {
      plaintext,
      policyClient,
      chainId: 1,
      recipientPublicKey: key.publicKey,
      ...wrong,
    }
    const error = await sealEnvelope(options as never).catch((thrown: unknown) => thrown as Error)
    expect(error).toMatchObject({ code: 'INVALID_OPTIONS', message: expect.stringContaining(text) })
    expect(String(error)).not.toContain('top secret')
  })

  property([fc.string({ unit: 'binary' })])('is base64 of its bytes for a simulation', (text) => {
    expect(Buffer.from(encodeSecrets(text), 'base64').toString()).toBe(Buffer.from(text).toString())
  })
})
