import { x25519 } from '@noble/curves/ed25519.js'
import { AeadId, CipherSuite, KdfId, KemId } from 'hpke-js'
import { sealEnvelope as sealAsClient } from 'polgate-client/sealing/sealEnvelope.ts'
import { concat, hexToBytes, keccak256, numberToHex, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { contextOf, type EnvelopeScope, envelopeUses } from './binding.ts'
import { encryptionKeyOf } from './encryptionKey.ts'
import { openEnvelope, sealEnvelope } from './envelope.ts'

const policyClient = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const policyData = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const chainId = 11155111
const recipient = new Uint8Array(32).fill(7)
const key = await encryptionKeyOf(recipient)
const scope = { policyClient, chainId, use: 'secrets', policyData } as const
const text = '{"TOKEN":"x"}'
const plaintext = Buffer.from(text)

/** Decision K18, by hpke-js and viem alone. */
async function sealedByLibrary(): Promise<{ enc: string; ciphertext: string }> {
  const suite = new CipherSuite({
    kem: KemId.DhkemX25519HkdfSha256,
    kdf: KdfId.HkdfSha256,
    aead: AeadId.Chacha20Poly1305,
  })
  const sender = new Uint8Array(32).fill(9)
  const keyOf = (raw: Uint8Array, isPublic: boolean) =>
    suite.kem.importKey('raw', Uint8Array.from(raw).buffer, isPublic)
  const { enc, ct } = await suite.seal(
    {
      recipientPublicKey: await keyOf(x25519.getPublicKey(recipient), true),
      ekm: {
        privateKey: await keyOf(sender, false),
        publicKey: await keyOf(x25519.getPublicKey(sender), true),
      },
      info: new TextEncoder().encode('sealed envelope 2 secrets').buffer,
    },
    Uint8Array.from(plaintext).buffer,
    Uint8Array.from(
      hexToBytes(keccak256(concat([policyClient, numberToHex(chainId, { size: 8 }), policyData]))),
    ).buffer,
  )
  const hex = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('hex')
  return { enc: hex(enc), ciphertext: hex(ct) }
}

describe('the bound form', () => {
  it('is that of the vector of decision K18', async () => {
    const sealed = await sealedByLibrary()
    expect(sealed).toEqual({
      enc: '57db4b359f23ae5e146e4e2512056704722506348c150c14753d0c933d04d421',
      ciphertext: '9f0de7174469d7e41af4d3da6d505a4075846c3219011f6ff589970242',
    })
    const { aad, info } = contextOf('secrets', scope)
    expect(toHex(aad)).toBe('0x5943f333b8f27a13da3db712327d13c080ac4df83cc3b9bda73f36196f8a06b0')
    expect(Buffer.from(info).toString()).toBe('sealed envelope 2 secrets')
    const envelope = JSON.stringify({
      ...sealed,
      ...{ policy_client: policyClient, chain_id: chainId, bound_use: 'secrets' },
      recipient_pubkey: key.publicKey,
    })
    const opened = await openEnvelope({ envelope, key, ...scope })
    expect(Buffer.from(opened).toString()).toBe(text)
  })

  it('binds data without an oracle to the zero address', () => {
    const { aad } = contextOf('identity', { policyClient, chainId, use: 'identity' })
    expect(toHex(aad)).toBe('0x1712b888c8e23be09dab3405096700894ac159332f56f23681f3df71d7da32be')
  })

  const changes: readonly Partial<EnvelopeScope>[] = [
    { policyClient: policyData },
    { chainId: 1 },
    { policyData: policyClient },
    { policyData: undefined },
    { use: undefined },
    ...envelopeUses.filter((use) => use !== 'secrets').map((use) => ({ use })),
  ]

  it.each(['service', 'client'] as const)('of the %s opens in its scope alone', async (by) => {
    const seal = by === 'service' ? sealEnvelope : sealAsClient
    const envelope = await seal({
      ...{ plaintext, ...scope, recipientPublicKey: key.publicKey },
      binding: { use: 'secrets', policyData },
    })
    expect(Buffer.from(await openEnvelope({ envelope, key, ...scope })).toString()).toBe(text)
    for (const change of changes) {
      const opening = openEnvelope({ envelope, key, ...scope, ...change })
      await expect(opening, JSON.stringify(change)).rejects.toMatchObject({ code: 'open' })
    }
  })

  it('cannot be turned into the general form, nor the general form into it, nor one use into another', async () => {
    const recipientPublicKey = key.publicKey
    const general = await sealEnvelope({ plaintext, policyClient, chainId, recipientPublicKey })
    const bound = await sealEnvelope({ plaintext, ...scope, recipientPublicKey })
    const { bound_use: _, ...stripped } = JSON.parse(bound)
    for (const envelope of [
      stripped,
      { ...JSON.parse(general), bound_use: 'secrets' },
      { ...JSON.parse(bound), bound_use: 'simulation' },
    ])
      for (const use of [undefined, ...envelopeUses])
        await expect(
          openEnvelope({ envelope: JSON.stringify(envelope), key, ...scope, use }),
        ).rejects.toMatchObject({ code: 'open' })
    expect(Buffer.from(await openEnvelope({ envelope: general, key, ...scope })).toString()).toBe(
      text,
    )
  })

  it.each(['identities', '', 1, null, 'Secrets'])('has no use %j', async (bound_use) => {
    const general = await sealEnvelope({ plaintext, ...scope, recipientPublicKey: key.publicKey })
    const envelope = JSON.stringify({ ...JSON.parse(general), bound_use })
    await expect(openEnvelope({ envelope, key, ...scope })).rejects.toMatchObject({
      code: 'format',
      message: expect.stringContaining('envelope.bound_use'),
    })
  })
})
