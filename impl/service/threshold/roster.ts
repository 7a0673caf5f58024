import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { sha256 } from '@noble/hashes/sha2.js'
import type { Address } from 'polgate-protocol/scalars.ts'
import { framed } from './group.ts'
import { ThresholdError } from './thresholdError.ts'

/** Another operator, from this operator's own configuration. */
export type Member = {
  readonly address: Address
  /** Ed25519, 64 hex digits: the key of its message signatures. */
  readonly publicKey: string
}

/** The members of a key, numbered 1 to n by their order, and how many are required to decrypt. */
export type Roster = { readonly needed: number; readonly members: readonly Member[] }

/** Maximum number of members. */
export const maxMembers = 128

/** One run of the key generation: everything signed in it is bound to `digest`. */
export type Session = {
  /** 64 hex digits. */
  readonly id: string
  readonly roster: Roster
  readonly digest: Uint8Array
}

/**
 * Validates a roster. A threshold of one would be none, and a member listed twice would hold two
 * shares.
 *
 * @throws ThresholdError `state`
 */
export function checkRoster({ needed, members }: Roster): void {
  const refuse = (message: string): never => {
    throw new ThresholdError('state', message, { hint: 'Correct the configuration of threshold.' })
  }
  if (members.length > maxMembers) refuse(`a roster may have at most ${maxMembers} members`)
  if (!Number.isInteger(needed) || needed < 2 || needed > members.length)
    refuse(
      `the threshold must be from 2 to the number of operators, got ${needed} of ${members.length}`,
    )
  const addresses = new Set(members.map(({ address }) => address.toLowerCase()))
  const keys = new Set(members.map(({ publicKey }) => publicKey.toLowerCase()))
  if (addresses.size < members.length || keys.size < members.length)
    refuse('an operator is listed twice in the roster')
  for (const { address, publicKey } of members)
    if (!/^[0-9a-f]{64}$/.test(publicKey)) refuse(`the threshold key of ${address} is not 64 hex`)
}

/** Binds id, addresses, keys, their order, their number and the threshold. */
export function sessionOf(id: string, roster: Roster): Session {
  const { needed, members } = roster
  const counts = Buffer.alloc(8)
  counts.writeUInt32BE(needed)
  counts.writeUInt32BE(members.length, 4)
  const rows = members.map(({ address, publicKey }) => `${address.toLowerCase()} ${publicKey}`)
  const digest = sha256(
    framed('threshold session 1', Buffer.from(id), counts, Buffer.from(rows.join('\n'))),
  )
  return { id, roster, digest }
}

/** 1 to n, 0 for a non-member. */
export const placeOf = ({ members }: Roster, address: Address): number =>
  members.findIndex((member) => member.address.toLowerCase() === address.toLowerCase()) + 1

/** An operator's signing key; the private key cannot be extracted. */
export type Identity = {
  readonly address: Address
  readonly publicKey: string
  sign(message: Uint8Array): Uint8Array
}

/**
 * The identity of 32 private bytes.
 *
 * @throws ThresholdError `state` unless they are 64 hex digits
 */
export function identityOf(address: Address, privateHex: string): Identity {
  const digits = privateHex.trim().replace(/^0x/, '')
  if (!/^[0-9a-fA-F]{64}$/.test(digits))
    throw new ThresholdError('state', 'a threshold key must be 64 hex digits')
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Head, Buffer.from(digits, 'hex')]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return {
    address,
    publicKey: publicKey.subarray(-32).toString('hex'),
    sign: (message) => sign(null, message, privateKey),
  }
}

/** The prefix of an Ed25519 private key in DER (RFC 8410). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')
