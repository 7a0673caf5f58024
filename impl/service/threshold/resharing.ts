import { x25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { type Static, Type } from '@sinclair/typebox'
import { encryptionKeyOf } from '../envelopes/encryptionKey.ts'
import {
  framed,
  hexOf,
  inSubgroup,
  type Point,
  pointOf,
  type RandomBytes,
  sameInSubgroup,
  scalars,
  zero,
} from './group.ts'
import { digestOf, groupKeyOf, hexCommitments } from './groupKey.ts'
import type { KeyShare } from './keyGeneration.ts'
import { answer, complaint, confirmation } from './messages.ts'
import {
  type Commitments,
  commitTo,
  lagrangeAtZero,
  randomPolynomial,
  valueAt,
} from './polynomial.ts'
import type { Reshare } from './resharePlan.ts'
import { type Identity, maxMembers, type Roster } from './roster.ts'
import { openShare, sealShare, shareContext } from './sealedShare.ts'
import { settleComplaints, shareFits } from './settleComplaints.ts'
import { type Kind, kindOf, readMessage, type Signed, signMessage } from './signed.ts'
import { ThresholdError } from './thresholdError.ts'

const Hex32 = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** X25519, for this run only: shares for this member are encrypted to it. */
export const transport = kindOf('reshare transport', Type.Object({ transportKey: Hex32 }))

const Redeal = Type.Object({
  /** Of the polynomial whose constant is the dealer's share. */
  commitments: Type.Array(Hex32, { minItems: 2, maxItems: maxMembers }),
  /** For each member of the next epoch, in the order of its roster. */
  shares: Type.Array(Type.String({ pattern: '^[0-9a-f]{160}$' }), { maxItems: maxMembers }),
})
export const redeal = kindOf('redeal', Redeal)
export type Redeal = Static<typeof Redeal>

export type ResharingOptions = {
  readonly reshare: Reshare
  readonly identity: Identity
  /** The share in use, of a member that deals. */
  readonly share: KeyShare | undefined
  /** The index among the dealers, 0 if it does not deal. */
  readonly dealer: number
  /** The index in the next roster, 0 if it is not part of it. */
  readonly receiver: number
  readonly random: RandomBytes
}

/**
 * The steps of one member in this order, each once: receivers send keys, dealers deal, receivers
 * complain, dealers answer, receivers finish.
 */
export type Resharing = {
  transport(): Signed
  deal(keys: readonly Signed[]): Promise<Signed>
  check(deals: readonly Signed[], keys: readonly Signed[]): Promise<Signed>
  answer(complaints: readonly Signed[]): Signed
  finish(
    answers: readonly Signed[],
    complaints: readonly Signed[],
  ): { readonly share: KeyShare; readonly confirmation: Signed }
}

/**
 * One member's side of a resharing: verifiable secret redistribution (Desmedt and Jajodia, 1997;
 * Wong, Wang and Wing, 2002). Each dealer shares its own share with a new polynomial, whose
 * commitment to the constant has to be its verification key; therefore the key cannot change. The
 * next shares are combinations of these, on a polynomial that is new and random if one dealer is
 * honest. A refresh is a resharing to the same roster, so that one protocol is reviewed, not two.
 *
 * Assumptions and guarantees are those of `keyGeneration`, for fewer than `needed` dishonest members
 * in the epoch in use, and fewer than the next `needed` in the next. Every member of the next roster
 * has to take part and confirm. There are no commitments to the deals: their constants are fixed, so
 * that choosing a polynomial last gains nothing.
 *
 * @throws ThresholdError as `keyGeneration`
 */
export function resharing(options: ResharingOptions): Resharing {
  const { reshare, identity, share, dealer, receiver, random } = options
  const { digest, dealers, session, oldKey, epoch, plan } = reshare
  const { roster: receivers } = session
  const transcript = sha256.create().update(framed('threshold resharing transcript 1', digest))
  const transportSecret = random(32)
  const polynomial =
    share === undefined ? [] : [share.share, ...randomPolynomial(receivers.needed - 1, random)]
  let step = 0
  let dealt: Commitments[] = []
  let received: (bigint | undefined)[] = []

  /** Steps of dealers and receivers differ, so each is entered only after the earlier ones. */
  const enter = (expected: number, role: number): void => {
    if (role === 0)
      throw new ThresholdError('run', 'a step of the resharing is not for this member')
    if (step >= expected) throw new ThresholdError('run', 'a step of the resharing is out of order')
    step = expected
  }
  const sign = <T>(kind: Kind<T>, message: T) => signMessage(kind, digest, message, identity)

  function readAll<T>(kind: Kind<T>, signed: readonly Signed[], from: Roster): T[] {
    const { members } = from
    if (signed.length !== members.length)
      throw new ThresholdError('run', `${members.length} messages are needed (${kind.name})`)
    return signed.map((one, at) =>
      readMessage(kind, digest, one, members[at] as (typeof members)[number]),
    )
  }

  /** Messages that every receiver has to have seen alike; dealers only read them. */
  function noted<T>(kind: Kind<T>, signed: readonly Signed[], from: Roster): T[] {
    for (const { body, signature } of signed)
      transcript.update(framed(kind.name, Buffer.from(body), Buffer.from(signature)))
    return readAll(kind, signed, from)
  }

  return {
    transport() {
      enter(1, receiver)
      const transportKey = Buffer.from(x25519.getPublicKey(transportSecret)).toString('hex')
      return sign(transport, { transportKey })
    },

    async deal(keys) {
      enter(2, dealer)
      const to = readAll(transport, keys, receivers)
      const shares = to.map(async ({ transportKey }, at) => {
        const context = shareContext(digest, dealer, at + 1)
        try {
          const value = scalars.toBytes(valueAt(polynomial, at + 1))
          return await sealShare(value, { transportKey, context })
        } catch (cause) {
          const { address } = receivers.members[at] as (typeof receivers.members)[number]
          const message = `${address} offered an invalid transport key`
          throw new ThresholdError('dealer', message, { cause })
        }
      })
      return sign(redeal, {
        commitments: hexCommitments(commitTo(polynomial)),
        shares: await Promise.all(shares),
      })
    },

    async check(deals, keys) {
      enter(3, receiver)
      noted(transport, keys, receivers)
      const said = noted(redeal, deals, dealers)
      dealt = said.map(({ commitments, shares }, at) => {
        const { address } = dealers.members[at] as (typeof dealers.members)[number]
        const wrong = (what: string): never => {
          throw new ThresholdError('dealer', `${address} dealt ${what}`)
        }
        if (commitments.length !== receivers.needed)
          return wrong('a polynomial of the wrong degree')
        if (shares.length !== receivers.members.length) return wrong('the wrong number of shares')
        const points = readPoints(commitments) ?? wrong('invalid points')
        const own = oldKey.verificationKey(plan.dealers[at] as number)
        if (!sameInSubgroup(points[0] as Point, own)) return wrong('something other than its share')
        return points
      })
      const key = await encryptionKeyOf(transportSecret)
      received = await Promise.all(
        said.map(async ({ shares }, at) => {
          const context = shareContext(digest, at + 1, receiver)
          const value = await openShare(shares[receiver - 1], { key, context })
          const fits = value !== undefined && shareFits(value, dealt[at] as Commitments, receiver)
          return fits ? value : undefined
        }),
      )
      const accused = received.flatMap((value, at) => (value === undefined ? [at + 1] : []))
      return sign(complaint, { dealers: accused })
    },

    answer(signed) {
      enter(4, dealer)
      if (step < 2) throw new ThresholdError('run', 'a step of the resharing is out of order')
      const said = readAll(complaint, signed, receivers)
      const by = said.flatMap(({ dealers: accused }, at) =>
        accused.includes(dealer) ? [at + 1] : [],
      )
      // So many values would determine the polynomial, and with it the share.
      const shown = by.length < receivers.needed ? by : []
      return sign(answer, {
        shares: shown.map((place) => ({ place, share: hexOf(valueAt(polynomial, place)) })),
      })
    },

    finish(signed, complaints) {
      if (dealt.length === 0)
        throw new ThresholdError('run', 'a step of the resharing is out of order')
      enter(5, receiver)
      const accused = noted(complaint, complaints, receivers).map(({ dealers: of }) => of)
      const answers = noted(answer, signed, dealers).map(({ shares }) => shares)
      const { qualified, revealed } = settleComplaints({
        ...{ roster: dealers, limit: receivers.needed },
        ...{ dealt, complaints: accused, answers, place: receiver },
      })
      const places = qualified.map((at) => plan.dealers[at - 1] as number)
      const factors = places.map((place) => lagrangeAtZero(place, places))
      const own = qualified.reduce((sum, at, index) => {
        const value = (received[at - 1] ?? revealed.get(at)) as bigint
        return scalars.add(sum, scalars.mul(factors[index] as bigint, value))
      }, 0n)
      const commitments = Array.from({ length: receivers.needed }, (_, degree) =>
        inSubgroup(
          qualified.reduce((sum, at, index) => {
            const point = dealt[at - 1]?.[degree] as Point
            return sum.add(point.multiplyUnsafe(factors[index] as bigint))
          }, zero),
        ),
      )
      const key = groupKeyOf(session, commitments, { epoch, parent: oldKey.session.id })
      if (key.publicKey !== oldKey.publicKey || !shareFits(own, commitments, receiver))
        throw new ThresholdError('run', 'the share does not match the group key')
      const hex = hexCommitments(commitments)
      return {
        share: { place: receiver, share: own, key, commitments: hex },
        confirmation: signMessage(
          confirmation,
          session.digest,
          {
            publicKey: key.publicKey,
            commitments: digestOf(hex),
            transcript: Buffer.from(transcript.digest()).toString('hex'),
            epoch,
            parent: oldKey.session.id,
          },
          identity,
        ),
      }
    },
  }
}

function readPoints(hex: readonly string[]): Commitments | undefined {
  try {
    return hex.map(pointOf)
  } catch {
    return undefined
  }
}
