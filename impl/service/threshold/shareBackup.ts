import { createCipheriv, createDecipheriv, scrypt } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import { Address } from 'polgate-protocol/scalars.ts'
import type { EncryptionKey } from '../envelopes/encryptionKey.ts'
import { keySize, open, seal } from '../envelopes/hpke.ts'
import { framed, type RandomBytes } from './group.ts'
import { validatorOf } from './signed.ts'
import { certificateOf, readShare, StoredShare } from './storedShare.ts'
import { ThresholdError } from './thresholdError.ts'

const Hex32 = Type.String({ pattern: '^[0-9a-f]{64}$' })

/**
 * A member's share with its certificate, sealed: one JSON object. Everything except the ciphertext is
 * readable and authenticated, so that a file says what it restores. The plaintext is the stored share
 * (`StoredShare`) as UTF-8 JSON. Associated data: `threshold backup 1` and the header as JSON, each
 * with its length as four bytes, big-endian.
 */
export const ShareBackup = Type.Object({
  header: Type.Object(
    {
      format: Type.Literal('threshold-share-backup'),
      version: Type.Literal(1),
      /** The member. */
      address: Address,
      /** The shared key, X25519. */
      publicKey: Hex32,
      session: Hex32,
      epoch: Type.Integer({ minimum: 1 }),
      seal: Type.Union([
        /** HPKE of decision K2: encapsulated key, then ciphertext. */
        Type.Object(
          { kind: Type.Literal('x25519'), recipient: Hex32 },
          { additionalProperties: false },
        ),
        /** scrypt (N = 2^cost, r = 8, p = 1), then AES-256-GCM: nonce, ciphertext, tag. */
        Type.Object(
          {
            kind: Type.Literal('passphrase'),
            salt: Hex32,
            cost: Type.Integer({ minimum: 14, maximum: 20 }),
          },
          { additionalProperties: false },
        ),
      ]),
    },
    { additionalProperties: false },
  ),
  sealed: Type.String({ pattern: '^([0-9a-f]{2}){48,}$', maxLength: 64 * 1024 * 1024 }),
})
export type ShareBackup = Static<typeof ShareBackup>
const readShape = validatorOf(ShareBackup)
const readStored = validatorOf(StoredShare)

/** 2^17: 128 MiB of memory, half a second. */
const defaultCost = 17
export const minPassphrase = 12
const nonceSize = 12
const tagSize = 16

/** Whom a backup is sealed to. */
export type BackupRecipient =
  /** X25519, 64 hex digits. */
  | { readonly publicKey: string }
  /** At least `minPassphrase` characters. `cost`: 14 to 20, for tests. */
  | { readonly passphrase: string; readonly cost?: number }
/** What opens a backup. */
export type BackupSecret = { readonly key: EncryptionKey } | { readonly passphrase: string }

/**
 * Seals a completed share.
 *
 * @throws ThresholdError `state` for a share without certificate, a short passphrase, or an invalid
 * recipient
 */
export async function sealBackup(
  stored: StoredShare,
  to: BackupRecipient,
  random: RandomBytes,
): Promise<ShareBackup> {
  const { key } = readShare(stored)
  const address = stored.members[stored.place - 1]?.address
  if (address === undefined || certificateOf(stored) === null)
    return refuse('the share is not complete')
  const header: Header = {
    format: 'threshold-share-backup',
    version: 1,
    ...{ address, publicKey: key.publicKey, session: stored.session, epoch: key.epoch },
    seal:
      'publicKey' in to
        ? { kind: 'x25519', recipient: to.publicKey }
        : {
            kind: 'passphrase',
            salt: Buffer.from(random(32)).toString('hex'),
            cost: to.cost ?? defaultCost,
          },
  }
  const plaintext = Buffer.from(JSON.stringify(stored))
  try {
    const sealed =
      'publicKey' in to
        ? await sealToKey(plaintext, to.publicKey, aadOf(header))
        : await sealWithPassphrase(plaintext, to.passphrase, header, random(nonceSize))
    return readBackup({ header, sealed: sealed.toString('hex') })
  } finally {
    plaintext.fill(0)
  }
}

/** @throws ThresholdError `state` if it is not a backup */
export function readBackup(value: unknown): ShareBackup {
  try {
    return readShape(value)
  } catch (cause) {
    throw new ThresholdError('state', 'not a backup of a share', {
      hint: 'Name a file that `polgate key backup` wrote.',
      cause,
    })
  }
}

/**
 * The share of a backup.
 *
 * @throws ThresholdError `open` for another key or passphrase, or a changed file
 */
export async function openBackup(backup: ShareBackup, by: BackupSecret): Promise<StoredShare> {
  const { header, sealed } = backup
  const wanted = header.seal.kind === 'x25519' ? 'key' : 'passphrase'
  if (!(wanted in by)) throw new ThresholdError('open', `the backup is sealed to a ${wanted}`)
  const bytes = Buffer.from(sealed, 'hex')
  let plaintext: Uint8Array
  try {
    plaintext =
      'key' in by
        ? await open({
            recipient: by.key,
            enc: bytes.subarray(0, keySize),
            ciphertext: bytes.subarray(keySize),
            aad: aadOf(header),
          })
        : await openWithPassphrase(bytes, by.passphrase, header)
  } catch {
    throw new ThresholdError('open', 'the backup does not open: another secret, or a changed file')
  }
  try {
    const stored = readStored(JSON.parse(Buffer.from(plaintext).toString('utf8')))
    const { key } = readShare(stored)
    const { address } = stored.members[stored.place - 1] ?? {}
    const { publicKey, epoch, session } = header
    if (address !== header.address || stored.session !== session || key.epoch !== epoch)
      return refuse('the backup contains another share than its header says')
    if (key.publicKey !== publicKey || certificateOf(stored) === null)
      return refuse('the backup contains another key than its header says')
    return stored
  } finally {
    plaintext.fill(0)
  }
}

type Header = ShareBackup['header']

const aadOf = (header: Header): Uint8Array =>
  framed('threshold backup 1', Buffer.from(JSON.stringify(header)))

async function sealToKey(plaintext: Uint8Array, recipient: string, aad: Uint8Array) {
  if (!/^[0-9a-f]{64}$/.test(recipient)) refuse('a recipient is an X25519 key of 64 hex digits')
  const recipientPublicKey = Buffer.from(recipient, 'hex')
  const { enc, ciphertext } = await seal({ recipientPublicKey, plaintext, aad })
  return Buffer.concat([enc, ciphertext])
}

async function sealWithPassphrase(
  plaintext: Uint8Array,
  passphrase: string,
  header: Header,
  nonce: Uint8Array,
): Promise<Buffer> {
  if (passphrase.length < minPassphrase)
    refuse(`a passphrase has at least ${minPassphrase} characters`)
  const key = await keyOf(passphrase, header)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(aadOf(header))
  const sealed = Buffer.concat([
    nonce,
    cipher.update(plaintext),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  key.fill(0)
  return sealed
}

async function openWithPassphrase(
  sealed: Uint8Array,
  passphrase: string,
  header: Header,
): Promise<Uint8Array> {
  const key = await keyOf(passphrase, header)
  const cipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceSize), {
    authTagLength: tagSize,
  })
  cipher.setAAD(aadOf(header)).setAuthTag(sealed.subarray(-tagSize))
  key.fill(0)
  return Buffer.concat([cipher.update(sealed.subarray(nonceSize, -tagSize)), cipher.final()])
}

function keyOf(passphrase: string, { seal: by }: Header): Promise<Buffer> {
  if (by.kind !== 'passphrase') return refuse('the backup is sealed to a key')
  const cost = 2 ** by.cost
  const options = { N: cost, r: 8, p: 1, maxmem: 256 * 8 * cost }
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFC'), Buffer.from(by.salt, 'hex'), 32, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    ),
  )
}

function refuse(message: string): never {
  throw new ThresholdError('state', message)
}
