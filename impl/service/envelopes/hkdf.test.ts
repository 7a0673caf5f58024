import { hkdfSync } from 'node:crypto'
import fc from 'fast-check'
import { AeadId, CipherSuite, KdfId, KemId } from 'hpke-js'
import { expect, it } from 'vitest'
import { createKdf, expand, extract } from './hkdf.ts'

const bytes = (maxLength: number) => fc.uint8Array({ maxLength })
const length = fc.integer({ min: 1, max: 255 * 32 })

it('is the HKDF of RFC 5869, as Node computes it (property)', () => {
  fc.assert(
    fc.property(bytes(100), bytes(100), bytes(100), length, (ikm, salt, info, size) => {
      const expected = new Uint8Array(hkdfSync('sha256', ikm, salt, info, size))
      expect(expand(extract(salt, ikm), info, size)).toEqual(expected)
    }),
  )
  expect(() => expand(new Uint8Array(32), new Uint8Array(), 255 * 32 + 1)).toThrow('at most 8160')
})

it('labels as the KDF of the library does (property)', async () => {
  const suite = new CipherSuite({
    kem: KemId.DhkemX25519HkdfSha256,
    kdf: KdfId.HkdfSha256,
    aead: AeadId.Chacha20Poly1305,
  })
  // Its KDF is ready once the suite has been used.
  const { publicKey } = await suite.kem.generateKeyPair()
  await suite.createSenderContext({ recipientPublicKey: publicKey })
  const own = createKdf()
  own.init(Buffer.from('HPKE\0\x20\0\x01\0\x03', 'latin1'))
  await fc.assert(
    fc.asyncProperty(bytes(40), bytes(40), bytes(40), length, async (salt, label, ikm, size) => {
      const prk = await own.labeledExtract(salt, label, ikm)
      expect(prk).toEqual(await suite.kdf.labeledExtract(salt, label, ikm))
      const info = ikm
      const most = Math.min(size, 255)
      expect(await own.labeledExpand(prk, label, info, most)).toEqual(
        await suite.kdf.labeledExpand(prk, label, info, most),
      )
      expect(await own.extractAndExpand(salt, ikm, info, size)).toEqual(
        await suite.kdf.extractAndExpand(salt, ikm, info, size),
      )
    }),
    { numRuns: 30 },
  )
})
