import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { createEncryptionKey } from '../envelopes/encryptionKey.ts'
import { sealEnvelope as sealWithoutProof } from '../envelopes/envelope.ts'
import { pointOfMontgomery, randomScalar } from '../threshold/group.ts'
import { proveKnowledge } from '../threshold/proofs.ts'
import { chainId, client, provider, sealed } from './grants.fixture.ts'
import { isProvenBySealer } from './sealerProof.ts'

let recipient: string
let envelope: Record<string, unknown>

beforeAll(async () => {
  recipient = (await createEncryptionKey()).key.publicKey
  envelope = JSON.parse(await sealed(recipient, client, { bid: 1 }))
})

const proven = (change: object = {}) => isProvenBySealer(JSON.stringify({ ...envelope, ...change }))

describe('the proof of a sealer', () => {
  it('is that of the SDK, whichever point the key stands for', async () => {
    for (let at = 0; at < 8; at += 1)
      expect(isProvenBySealer(await sealed(recipient, client, { at }))).toBe(true)
  })

  it('holds for the same bytes in another order or case', () => {
    const { proof, enc, ...rest } = envelope
    expect(isProvenBySealer(JSON.stringify({ proof, ...rest, enc }))).toBe(true)
    expect(proven({ enc: String(enc).toUpperCase() })).toBe(true)
  })

  it('is for one envelope: another ciphertext, client, chain or recipient has none', async () => {
    const other = JSON.parse(await sealed(recipient, client, { bid: 2 })) as typeof envelope
    for (const change of [
      { ciphertext: other.ciphertext },
      { enc: other.enc },
      { proof: other.proof },
      { policy_client: provider },
      { chain_id: chainId + 1 },
      { recipient_pubkey: other.enc },
    ])
      expect(proven(change)).toBe(false)
  })

  it('cannot be made for the key of an envelope of somebody else', async () => {
    const image = pointOfMontgomery(Buffer.from(String(envelope.enc), 'hex'))
    const guess = proveKnowledge(randomBytes(8), image, randomScalar(randomBytes), randomBytes)
    expect(proven({ ciphertext: '00'.repeat(32), proof: guess })).toBe(false)
  })

  it('is missing in envelopes of other clients, and invalid in any other form', async () => {
    const plain = { recipientPublicKey: recipient, policyClient: client, chainId }
    expect(
      isProvenBySealer(await sealWithoutProof({ ...plain, plaintext: Buffer.from('{}') })),
    ).toBe(false)
    const { challenge } = envelope.proof as { challenge: string }
    const forms = [null, 7, 'proof', {}, { challenge }, { challenge, response: 'ff'.repeat(32) }]
    for (const proof of [...forms, { challenge, response: 7 }])
      expect(proven({ proof })).toBe(false)
    for (const enc of ['00'.repeat(32), `01${'00'.repeat(31)}`, 'ff'.repeat(32)])
      expect(proven({ enc })).toBe(false)
  })
})
