import { sha256 } from '@noble/hashes/sha2.js'
import { type Static, Type } from '@sinclair/typebox'
import { framed, hexOf, inSubgroup, montgomeryOf, type Point, subgroupPointOf } from './group.ts'
import { type Confirmation, confirmation } from './messages.ts'
import { type Commitments, committedValueAt, sumOfCommitments } from './polynomial.ts'
import { maxMembers, type Roster, type Session, sessionOf } from './roster.ts'
import { readMessage, Signed } from './signed.ts'
import { ThresholdError } from './thresholdError.ts'

const Hex32 = Type.String({ pattern: '^[0-9a-f]{64}$' })

/**
 * The public part of a shared key, as stored and sent. It can be verified with the roster, because
 * every member has signed it.
 */
export const Certificate = Type.Object({
  session: Hex32,
  commitments: Type.Array(Hex32, { minItems: 2, maxItems: maxMembers }),
  /** In the order of the roster. */
  confirmations: Type.Array(Signed, { minItems: 2, maxItems: maxMembers }),
})
export type Certificate = Static<typeof Certificate>

/** The public part of a shared key, in memory. */
export type GroupKey = {
  readonly session: Session
  /** X25519, 64 hex digits: the key that data is sealed to (decision K3). */
  readonly publicKey: string
  /** 1 for a generated key; each resharing adds one. */
  readonly epoch: number
  /** The session whose shares were reshared. */
  readonly parent: string | undefined
  /** The share of the member at an index, times the base point, with a table for multiplications. */
  verificationKey(place: number): Point
}

/** The sum of the dealers' commitments, in the subgroup. @throws ThresholdError `run` */
export function groupCommitments(dealers: readonly Commitments[]): Commitments {
  const sum = sumOfCommitments(dealers).map(inSubgroup)
  if (sum[0]?.is0() !== false) throw new ThresholdError('run', 'the group key is zero')
  return sum
}

export const publicKeyOf = (commitments: Commitments): string =>
  Buffer.from(montgomeryOf(commitments[0] as Point)).toString('hex')

export const digestOf = (commitments: readonly string[]): string =>
  Buffer.from(
    sha256(framed('threshold commitments 1', Buffer.from(commitments.join('')))),
  ).toString('hex')

export function groupKeyOf(
  session: Session,
  commitments: Commitments,
  { epoch = 1, parent }: Pick<Confirmation, 'epoch' | 'parent'> = {},
): GroupKey {
  const known = new Map<number, Point>()
  return {
    session,
    publicKey: publicKeyOf(commitments),
    epoch,
    parent,
    verificationKey(place) {
      const key = known.get(place) ?? committedValueAt(commitments, place).precompute()
      known.set(place, key)
      return key
    },
  }
}

/**
 * Checks that every member confirmed the same run; returns its result.
 *
 * @throws ThresholdError `dealer` for an invalid signature, `run` if confirmations differ
 */
export function readConfirmations(session: Session, signed: readonly Signed[]): Confirmation {
  const { members } = session.roster
  const all = members.map((member, at) => {
    const one = signed[at]
    if (one === undefined || signed.length !== members.length)
      throw new ThresholdError('run', `${members.length} confirmations are needed`)
    return readMessage(confirmation, session.digest, one, member)
  })
  const [first, ...others] = all as [Confirmation, ...Confirmation[]]
  const differing = others.findIndex((other) => JSON.stringify(other) !== JSON.stringify(first))
  if (differing >= 0)
    throw new ThresholdError(
      'run',
      `${members[differing + 1]?.address} saw a different run from ${members[0]?.address}`,
      {
        hint: 'Members received different messages; retry, then check which member or relay sends them.',
      },
    )
  return first
}

/** Verified certificates by their hash: verifying one takes milliseconds, and members repeat it. */
const opened = new Map<string, GroupKey>()
const maxOpened = 32

/**
 * Verifies a certificate against the roster.
 *
 * @throws ThresholdError
 */
export function openCertificate(certificate: Certificate, roster: Roster): GroupKey {
  const session = sessionOf(certificate.session, roster)
  const { commitments, confirmations } = certificate
  const texts = confirmations.flatMap(({ body, signature }) => [body, signature])
  const parts = [...commitments, ...texts].map((text) => Buffer.from(text))
  const hash = Buffer.from(
    sha256(framed('threshold certificate 1', session.digest, ...parts)),
  ).toString('hex')
  const known = opened.get(hash)
  if (known !== undefined) return known
  const key = verify(certificate, session)
  if (opened.size >= maxOpened) opened.delete(opened.keys().next().value as string)
  opened.set(hash, key)
  return key
}

function verify({ commitments: hex, confirmations }: Certificate, session: Session): GroupKey {
  const said = readConfirmations(session, confirmations)
  if (hex.length !== session.roster.needed || digestOf(hex) !== said.commitments)
    throw new ThresholdError('run', 'the commitments differ from the confirmed ones')
  const commitments = hex.map(subgroupPointOf)
  const key = groupKeyOf(session, commitments, said)
  if (key.publicKey !== said.publicKey)
    throw new ThresholdError('run', 'the group key differs from the confirmed one')
  return key
}

export const hexCommitments = (commitments: Commitments): string[] => commitments.map(hexOf)
