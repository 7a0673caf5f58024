import { x25519 } from '@noble/curves/ed25519.js'
import { expect, it } from 'vitest'
import { createEncryptionKey } from './encryptionKey.ts'
import { open, openWithSharedSecret, sharedSecretOf } from './hpke.ts'

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))

/** RFC 9180, A.2.1: the base mode of the suite, first encryption. */
const vector = {
  recipientPrivate: '8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb',
  recipientPublicKey: hex('4310ee97d88cc1f088a5576c77ab0cf5c3ac797f3d95139c6c84b5429c59662a'),
  enc: hex('1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a'),
  sharedSecret: '0bbe78490412b4bbea4812666f7916932b828bba79942424abb65244930d69a7',
  info: hex('4f6465206f6e2061204772656369616e2055726e'),
  aad: hex('436f756e742d30'),
  ciphertext: hex(
    '1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db21993c62ce81883d2dd1b51a28',
  ),
}
const dh = x25519.getSharedSecret(hex(vector.recipientPrivate), vector.enc)

it('derives the shared secret of RFC 9180 A.2', () => {
  const context = Buffer.concat([vector.enc, vector.recipientPublicKey])
  expect(Buffer.from(sharedSecretOf(dh, context)).toString('hex')).toBe(vector.sharedSecret)
})

it('decrypts the vector of RFC 9180 A.2 without the private key', async () => {
  const text = await openWithSharedSecret({ ...vector, dh })
  expect(Buffer.from(text).toString()).toBe('Beauty is truth, truth beauty')
})

it('decrypts nothing with another secret, key, or associated data', async () => {
  for (const change of [
    { dh: dh.map((byte) => byte ^ 1) },
    { recipientPublicKey: vector.enc },
    { aad: hex('00') },
  ])
    await expect(openWithSharedSecret({ ...vector, dh, ...change })).rejects.toThrow()
  await expect(openWithSharedSecret({ ...vector, dh: new Uint8Array(32) })).rejects.toMatchObject({
    code: 'open',
  })
})

it('refuses a public key of small order', async () => {
  const { key } = await createEncryptionKey()
  for (const enc of [new Uint8Array(32), Uint8Array.of(1, ...new Uint8Array(31))]) {
    const message = { enc, ciphertext: new Uint8Array(40), aad: new Uint8Array() }
    await expect(open({ recipient: key, ...message })).rejects.toThrow()
  }
})
