import { expect, test } from 'vitest'
import { secretSealer } from './sealedSecret.ts'
import { WebhookError } from './webhookError.ts'

const sealer = secretSealer('11'.repeat(32))

test('a sealed secret can be decrypted with the same gateway key and API key', () => {
  for (const secret of ['s', 'ü 🔑', 'x'.repeat(1024)]) {
    const sealed = sealer.seal(secret, 'key')
    // A single letter would occur in random bytes too often.
    if (secret.length > 1) expect(Buffer.from(sealed).includes(secret)).toBe(false)
    expect(sealer.open(sealed, 'key')).toBe(secret)
    expect(secretSealer(`0x${'11'.repeat(32)}`).open(sealed, 'key')).toBe(secret)
  }
})

test('encryption is not deterministic', () => {
  expect(sealer.seal('same', 'key')).not.toEqual(sealer.seal('same', 'key'))
})

test('decryption with other keys fails, without exposing the secret', () => {
  const sealed = sealer.seal('topsecret', 'key')
  const tries = [
    () => secretSealer('12'.repeat(32)).open(sealed, 'key'),
    () => sealer.open(sealed, 'other'),
    () => sealer.open(sealed.slice(0, -1), 'key'),
    () => sealer.open(new Uint8Array(), 'key'),
    () => sealer.open(sealed.slice(0, 20), 'key'),
  ]
  for (const open of tries) {
    expect(open).toThrow(WebhookError)
    expect(open).toThrow(/^the stored secret cannot be decrypted$/)
  }
})

test('every changed bit is detected', () => {
  const sealed = sealer.seal('s', 'key')
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Uint8Array.from(sealed)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    expect(() => sealer.open(changed, 'key')).toThrow(WebhookError)
  }
})
