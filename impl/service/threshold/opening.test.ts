import { randomBytes } from 'node:crypto'
import { x25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { AeadId, CipherSuite, KdfId, KemId } from 'hpke-js'
import { property } from 'polgate-lib/testing/property.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { contextOf } from '../envelopes/binding.ts'
import { createEncryptionKey } from '../envelopes/encryptionKey.ts'
import { sealEnvelope } from '../envelopes/envelope.ts'
import { openSecrets, sealSecrets } from '../envelopes/secrets.ts'
import { type Group, groupOf, type Made, makeKey } from './keyGeneration.fixture.ts'
import type { KeyShare } from './keyGeneration.ts'
import { answerOpening, beginOpening } from './opening.ts'
import { combinePartials, openWithThreshold } from './openWithThreshold.ts'
import { type Partial, partialDecryption } from './partial.ts'

const where = {
  policyClient: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  chainId: 31337,
} as const
const approving = { random: randomBytes, approve: () => true }
const plaintext = Buffer.from('{"name":"Ada"}')
const keyOf = ({ shares }: Made) => (shares[0] as KeyShare).key
const encOf = (envelope: string) =>
  Buffer.from((JSON.parse(envelope) as { enc: string }).enc, 'hex')

const sealTo = (made: Made) =>
  sealEnvelope({ plaintext, ...where, recipientPublicKey: keyOf(made).publicKey })

const partialsOf = (shares: readonly KeyShare[], envelope: string): Partial[] =>
  shares.map((share) => partialDecryption(share, encOf(envelope), randomBytes))

/** All subsets of a given size. */
const subsets = <T>(items: readonly T[], size: number): T[][] =>
  size === 0
    ? [[]]
    : items.flatMap((item, at) =>
        subsets(items.slice(at + 1), size - 1).map((rest) => [item, ...rest]),
      )

let group: Group
let made: Made
beforeAll(async () => {
  group = groupOf(4, 3)
  made = await makeKey(group)
})

describe('an envelope sealed to the group key', () => {
  property(
    [
      fc
        .integer({ min: 2, max: 7 })
        .chain((n) => fc.tuple(fc.constant(n), fc.integer({ min: 2, max: n }))),
    ],
    { numRuns: 5 },
  )(
    'decrypts with every subset of the required size, and with no smaller one',
    async ([members, needed]) => {
      const any = await makeKey(groupOf(members, needed))
      const envelope = await sealTo(any)
      const partials = partialsOf(any.shares, envelope)
      const key = keyOf(any)
      for (const some of subsets(partials, needed))
        expect(await openWithThreshold({ envelope, ...where, key, partials: some })).toEqual(
          new Uint8Array(plaintext),
        )
      for (const few of subsets(partials, needed - 1))
        await expect(openWithThreshold({ envelope, ...where, key, partials: few })).rejects.toThrow(
          `${needed - 1} of ${needed} needed`,
        )
    },
  )

  it('may come from a client that uses only hpke-js', async () => {
    const suite = new CipherSuite({
      kem: KemId.DhkemX25519HkdfSha256,
      kdf: KdfId.HkdfSha256,
      aead: AeadId.Chacha20Poly1305,
    })
    const served = Buffer.from(keyOf(made).publicKey, 'hex')
    const recipientPublicKey = await suite.kem.importKey('raw', new Uint8Array(served).buffer)
    const aad = new Uint8Array(contextOf(undefined, where).aad).buffer
    const { enc, ct } = await suite.seal(
      { recipientPublicKey },
      new Uint8Array(plaintext).buffer,
      aad,
    )
    const hex = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('hex')
    const envelope = JSON.stringify({
      enc: hex(enc),
      ciphertext: hex(ct),
      policy_client: where.policyClient,
      chain_id: where.chainId,
      recipient_pubkey: keyOf(made).publicKey,
    })
    for (const three of subsets(made.shares, 3)) {
      const partials = partialsOf(three, envelope)
      const opened = await openWithThreshold({ envelope, ...where, key: keyOf(made), partials })
      expect(opened).toEqual(new Uint8Array(plaintext))
    }
  })

  it('gives sender and members the same secret as X25519', () => {
    const sender = randomBytes(32)
    const enc = x25519.getPublicKey(sender)
    const partials = made.shares.map((share) => partialDecryption(share, enc, randomBytes))
    const expected = x25519.getSharedSecret(sender, Buffer.from(keyOf(made).publicKey, 'hex'))
    expect(combinePartials(keyOf(made), enc, partials).dh).toEqual(expected)
  })

  it('is distinguished from one that was sealed to another key', async () => {
    const envelope = await sealTo(made)
    const partials = partialsOf(made.shares, envelope)
    const other = JSON.stringify({ ...JSON.parse(envelope), recipient_pubkey: 'ab'.repeat(32) })
    await expect(
      openWithThreshold({ envelope: other, ...where, key: keyOf(made), partials }),
    ).rejects.toThrow('sealed to another key')
  })

  it('does not decrypt for another client or chain, nor with the share of a member as a key', async () => {
    const envelope = await sealTo(made)
    const partials = partialsOf(made.shares, envelope)
    const key = keyOf(made)
    await expect(
      openWithThreshold({ envelope, ...where, chainId: 1, key, partials }),
    ).rejects.toMatchObject({ code: 'open' })
    // One partial taken for all that are needed, as a member alone would try.
    const alone = [1, 2, 3].map((place) => ({ ...partials[0]!, place }))
    await expect(
      openWithThreshold({ envelope, ...where, key, partials: alone }),
    ).rejects.toMatchObject({ code: 'shortage' })
  })
})

describe('an invalid partial decryption', () => {
  it('does not count and is reported', async () => {
    const envelope = await sealTo(made)
    const key = keyOf(made)
    const honest = partialsOf(made.shares, envelope)
    const [a, b, c, d] = honest as [Partial, Partial, Partial, Partial]
    const name = group.roster.members[1]!.address
    const wrongs: Partial[] = [
      { ...b, point: a.point },
      { ...b, proof: a.proof },
      { ...b, proof: { ...b.proof, response: 'ff'.repeat(32) } },
      { ...partialsOf([made.shares[0]!], envelope)[0]!, place: 2 },
      partialsOf([{ ...made.shares[1]!, share: made.shares[1]!.share + 1n }], envelope)[0]!,
      { ...partialsOf(made.shares, await sealTo(made))[1]!, place: 2 },
      { ...b, point: '00'.repeat(32) },
      { ...b, point: `01${'00'.repeat(31)}` },
    ]
    for (const wrong of wrongs) {
      await expect(
        openWithThreshold({ envelope, ...where, key, partials: [a, wrong, c] }),
      ).rejects.toThrow(`2 of 3 needed partial decryptions are valid; wrong from ${name}`)
      const partials = [a, wrong, c, d]
      expect(await openWithThreshold({ envelope, ...where, key, partials })).toEqual(
        new Uint8Array(plaintext),
      )
      expect(combinePartials(key, encOf(envelope), partials).wrong).toEqual([name])
    }
  })

  it('counts once, even if repeated', async () => {
    const envelope = await sealTo(made)
    const [a, b] = partialsOf(made.shares, envelope) as [Partial, Partial]
    await expect(
      openWithThreshold({ envelope, ...where, key: keyOf(made), partials: [a, b, b, a] }),
    ).rejects.toThrow('2 of 3 needed')
  })
})

describe('an opening', () => {
  const begin = async (envelope: string) =>
    beginOpening({
      envelope,
      key: keyOf(made),
      identity: group.identities[0]!,
      random: randomBytes,
    })

  it('collects answers that only the opener can read', async () => {
    const envelope = await sealTo(made)
    const opening = await begin(envelope)
    const answers = await Promise.all(
      made.shares.map((share) => answerOpening(share, opening.request, approving)),
    )
    expect(await opening.open(answers.slice(1), where)).toEqual(new Uint8Array(plaintext))
    const another = await begin(envelope)
    await expect(another.open(answers, where)).rejects.toThrow('0 of 3 needed')
    const points = partialsOf(made.shares, envelope).map(({ point }) => point)
    for (const point of points) expect(JSON.stringify(answers)).not.toContain(point)
  })

  it('is rejected for non-members and for other envelopes', async () => {
    const { request } = await begin(await sealTo(made))
    const share = made.shares[1]!
    const stranger = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as const
    const ask = (change: object) => answerOpening(share, { ...request, ...change }, approving)
    await expect(ask({ opener: stranger })).rejects.toMatchObject({ code: 'request' })
    await expect(ask({ opener: group.identities[2]!.address })).rejects.toMatchObject({
      code: 'dealer',
    })
    await expect(ask({ envelope: await sealTo(made) })).rejects.toMatchObject({ code: 'request' })
    const { key } = await createEncryptionKey()
    const elsewhere = await sealEnvelope({ plaintext, ...where, recipientPublicKey: key.publicKey })
    const own = await begin(elsewhere)
    await expect(answerOpening(share, own.request, approving)).rejects.toThrow('another key')
  })

  it('is approved by true alone, not by what merely is not false', async () => {
    const { request } = await begin(await sealTo(made))
    for (const answer of ['no', 1, {}, undefined, null, false]) {
      const approve = async () => answer as boolean
      await expect(
        answerOpening(made.shares[1]!, request, { random: randomBytes, approve }),
      ).rejects.toThrow('does not take part')
    }
  })
})

describe('secrets sealed to the privacy key by mistake', () => {
  it('fail to decrypt with the secrets key, as section 4.10 warns', async () => {
    const { key } = await createEncryptionKey()
    const envelope = await sealSecrets({
      secrets: { api_key: 'k' },
      ...where,
      recipientPublicKey: keyOf(made).publicKey,
    })
    await expect(openSecrets({ envelope, key, ...where })).rejects.toMatchObject({ code: 'open' })
    const disguised = JSON.stringify({ ...JSON.parse(envelope), recipient_pubkey: key.publicKey })
    await expect(openSecrets({ envelope: disguised, key, ...where })).rejects.toMatchObject({
      code: 'open',
      message: 'envelope does not open with this key, policy client and chain',
    })
  })
})
