import { describe, expect, test } from 'vitest'
import { generateKeyPair, open, seal } from './envelope.ts'
import { isProven } from './sealerProof.fixture.ts'

const policyClient = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const chainId = 11155111

describe('the proof of a sealer', () => {
  test('holds for its envelope alone, whichever point the key stands for', async () => {
    const { publicKey: recipient, privateKey } = await generateKeyPair()
    const sealed = () =>
      seal({ plaintext: 'hello', policyClient, chainId, recipient, proven: true })
    const other = await sealed()
    for (let round = 0; round < 8; round++) {
      const envelope = await sealed()
      expect((await open(envelope, privateKey))?.toString()).toBe('hello')
      expect(isProven(envelope)).toBe(true)
      for (const change of [
        { ciphertext: other.ciphertext },
        { enc: other.enc },
        { policy_client: `0x${'11'.repeat(20)}` as const },
        { chain_id: chainId + 1 },
        { recipient_pubkey: other.enc },
        { proof: other.proof! },
      ])
        expect(isProven({ ...envelope, ...change })).toBe(false)
    }
  })

  test('is left out by default: the specification has no such member', async () => {
    const { publicKey: recipient } = await generateKeyPair()
    const envelope = await seal({ plaintext: 'hello', policyClient, chainId, recipient })
    expect(envelope).not.toHaveProperty('proof')
  })
})
