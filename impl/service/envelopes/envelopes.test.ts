import { describe, expect, it } from 'vitest'
import { contextOf } from './binding.ts'
import {
  createEncryptionKey,
  encryptionKeyOf,
  loadEncryptionKey,
  publicKeyResult,
} from './encryptionKey.ts'
import { maxEnvelopeBytes, openEnvelope, parseEnvelope } from './envelope.ts'
import { open } from './hpke.ts'
import { maxSecretsBytes, openSecrets, parseSecrets, sealSecrets } from './secrets.ts'

const policyClient = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const chainId = 11155111
const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))

describe('suite', () => {
  it('opens the base mode vector of RFC 9180 A.2', async () => {
    const key = await loadEncryptionKey(
      '8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb',
    )
    const plaintext = await open({
      recipient: key,
      info: hex('4f6465206f6e2061204772656369616e2055726e'),
      enc: hex('1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a'),
      ciphertext: hex(
        '1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db21993c62ce81883d2dd1b51a28',
      ),
      aad: hex('436f756e742d30'),
    })
    expect(key.publicKey).toBe('4310ee97d88cc1f088a5576c77ab0cf5c3ac797f3d95139c6c84b5429c59662a')
    expect(Buffer.from(plaintext).toString()).toBe('Beauty is truth, truth beauty')
  })

  it('binds client and chain as in the vector of decision K2', () => {
    const { aad } = contextOf(undefined, { policyClient, chainId })
    expect(Buffer.from(aad).toString('hex')).toBe(
      '83d610829213beed3db3502e680068ee0e7d34496882e49420faf5ee044dbe42',
    )
  })
})

describe('key', () => {
  it('is loaded from a created key, with or without 0x', async () => {
    const { key, privateHex } = await createEncryptionKey()
    expect((await loadEncryptionKey(privateHex)).publicKey).toBe(key.publicKey)
    expect((await loadEncryptionKey(`0x${privateHex}\n`)).publicKey).toBe(key.publicKey)
  })

  it('is returned as 64 hex digits with the name of its suite', async () => {
    expect(publicKeyResult(await encryptionKeyOf(new Uint8Array(32).fill(7)))).toEqual({
      public_key: expect.stringMatching(/^[0-9a-f]{64}$/),
      key_type: 'x25519',
      encryption_suite: 'HPKE-Base-X25519-HKDF-SHA256-ChaCha20Poly1305',
      envelope_forms: ['general', 'bound'],
    })
  })

  it('is rejected with any other size', async () => {
    await expect(encryptionKeyOf(new Uint8Array(31))).rejects.toThrow('32 bytes, got 31')
    expect(() => loadEncryptionKey('abc')).toThrow('an encryption key is 64 hex digits')
  })
})

describe('secrets', () => {
  const setup = async (secrets: Record<string, string> = { API_KEY: 'sëcret' }) => {
    const { key } = await createEncryptionKey()
    const envelope = await sealSecrets({
      secrets,
      policyClient,
      chainId,
      recipientPublicKey: key.publicKey,
    })
    return { key, envelope }
  }

  it('are decrypted unmodified', async () => {
    const { key, envelope } = await setup()
    const opened = await openSecrets({ envelope, key, policyClient, chainId })
    expect(opened.secrets).toEqual({ API_KEY: 'sëcret' })
    expect(Buffer.from(opened.bytes).toString()).toBe('{"API_KEY":"sëcret"}')
  })

  it('decrypt regardless of the case of the client address', async () => {
    const { key, envelope } = await setup()
    const lower = policyClient.toLowerCase() as `0x${string}`
    await expect(
      openSecrets({ envelope, key, policyClient: lower, chainId }),
    ).resolves.toBeDefined()
  })

  it.each([
    ['another client', { policyClient: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as const }],
    ['another chain', { chainId: 1 }],
  ])('do not decrypt for %s', async (_, other) => {
    const { key, envelope } = await setup()
    await expect(openSecrets({ envelope, key, policyClient, chainId, ...other })).rejects.toThrow(
      'envelope does not open with this key, policy client and chain',
    )
  })

  it('do not decrypt with another key, which is reported', async () => {
    const { envelope } = await setup()
    const { key } = await createEncryptionKey()
    await expect(openSecrets({ envelope, key, policyClient, chainId })).rejects.toThrow(
      'envelope was sealed to another key',
    )
  })

  it('do not decrypt with any byte of the ciphertext or the encapsulated key changed', async () => {
    const { key, envelope } = await setup()
    for (const member of ['enc', 'ciphertext'] as const) {
      const parsed = parseEnvelope(envelope)
      for (let at = 0; at < parsed[member].length; at += 2) {
        const bytes = Buffer.from(parsed[member], 'hex')
        // The last bit of a point is ignored by X25519, so the lowest is changed.
        bytes[at / 2]! ^= 1
        const changed = JSON.stringify({ ...parsed, [member]: bytes.toString('hex') })
        await expect(
          openEnvelope({ envelope: changed, key, policyClient, chainId }),
        ).rejects.toMatchObject({ code: 'open' })
      }
    }
  })

  it.each([
    ['not JSON', 'SECRET', 'secrets are not JSON'],
    ['invalid UTF-8', '\xff', 'secrets are not JSON'],
    ['an array', '["SECRET"]', 'secrets are not a JSON object'],
    ['null', 'null', 'secrets are not a JSON object'],
    ['a number inside', '{"SECRET":1}', 'secrets are not all strings'],
    ['too long', `{"a":"${'S'.repeat(maxSecretsBytes)}"}`, 'larger than 65536 bytes'],
  ])('are rejected as %s, without any content', (_, text, message) => {
    const read = () => parseSecrets(Buffer.from(text, 'latin1'))
    expect(read).toThrow(message)
    try {
      read()
    } catch (error) {
      expect(String((error as Error).stack) + JSON.stringify(error)).not.toContain('SECRET')
      expect((error as Error).cause).toBeUndefined()
    }
  })
})

describe('envelope', () => {
  const valid = {
    enc: '00'.repeat(32),
    ciphertext: '00'.repeat(17),
    policy_client: policyClient,
    chain_id: chainId,
    recipient_pubkey: '00'.repeat(32),
  }

  it('allows unknown members', () => {
    expect(parseEnvelope(JSON.stringify({ ...valid, version: 2 }))).toEqual(valid)
  })

  it.each([
    ['enc', `0x${'00'.repeat(31)}`],
    ['enc', '00'.repeat(31)],
    ['recipient_pubkey', 7],
    ['ciphertext', '0'],
    ['ciphertext', '0x00'],
    ['policy_client', policyClient.slice(2)],
    ['chain_id', '11155111'],
    ['chain_id', -1],
    ['chain_id', 1.5],
  ])('is rejected with an invalid %s: %j', (member, value) => {
    expect(() => parseEnvelope(JSON.stringify({ ...valid, [member]: value }))).toThrow(
      `envelope.${member}`,
    )
  })

  it.each(Object.keys(valid))('is rejected without %s', (member) => {
    const { [member as 'enc']: _, ...rest } = valid
    expect(() => parseEnvelope(JSON.stringify(rest))).toThrow(`envelope.${member}`)
  })

  it('is rejected if not an object, not JSON, or too large', () => {
    for (const text of ['[]', 'null', '"x"', '7'])
      expect(() => parseEnvelope(text)).toThrow('envelope is not an object')
    expect(() => parseEnvelope('{')).toThrow('envelope is not JSON')
    expect(() => parseEnvelope(' '.repeat(maxEnvelopeBytes + 1))).toThrow('larger than 262144')
  })
})
