import { AeadId, CipherSuite, KdfId, KemId } from 'hpke-js'
import { bytesToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { associatedData, seal, strangersKey } from './envelope.ts'

const policyClient = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const chainId = 11155111

const suite = new CipherSuite({
  kem: KemId.DhkemX25519HkdfSha256,
  kdf: KdfId.HkdfSha256,
  aead: AeadId.Chacha20Poly1305,
})

describe('an envelope of the suite', () => {
  test('is bound to client and chain as in the test vector', () => {
    expect(bytesToHex(associatedData(policyClient, chainId))).toBe(
      '0x83d610829213beed3db3502e680068ee0e7d34496882e49420faf5ee044dbe42',
    )
  })

  test('opens only with the private key of its recipient and its associated data', async () => {
    const pair = await suite.kem.generateKeyPair()
    const recipient = Buffer.from(await suite.kem.serializePublicKey(pair.publicKey)).toString(
      'hex',
    )
    const envelope = await seal({ plaintext: 'hello', policyClient, chainId, recipient })
    const buffer = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex')).buffer
    const open = (aad: Uint8Array) =>
      suite.open(
        { recipientKey: pair.privateKey, enc: buffer(envelope.enc) },
        buffer(envelope.ciphertext),
        Uint8Array.from(aad).buffer,
      )
    const opened = await open(associatedData(policyClient, chainId))
    expect(Buffer.from(opened).toString()).toBe('hello')
    await expect(open(associatedData(policyClient, chainId + 1))).rejects.toThrow()
    expect(envelope.recipient_pubkey).toBe(recipient)
  })

  test('an ephemeral recipient key is different each time', async () => {
    const keys = [await strangersKey(), await strangersKey()]
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(keys[0]).not.toBe(keys[1])
  })
})
