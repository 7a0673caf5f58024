import { x25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { encryptionKeyOf } from '../envelopes/encryptionKey.ts'
import { framed, hexOf, pointOf, type RandomBytes, scalars } from './group.ts'
import {
  type Certificate,
  digestOf,
  type GroupKey,
  groupCommitments,
  groupKeyOf,
  hexCommitments,
  readConfirmations,
} from './groupKey.ts'
import { answer, commit, complaint, confirmation, deal, type Offer, offer } from './messages.ts'
import { type Commitments, commitTo, randomPolynomial, valueAt } from './polynomial.ts'
import { proveKnowledge, verifyKnowledge } from './proofs.ts'
import type { Identity, Member, Session } from './roster.ts'
import { openShare, sealShare, shareContext } from './sealedShare.ts'
import { settleComplaints, shareFits } from './settleComplaints.ts'
import { type Kind, readMessage, type Signed, signMessage } from './signed.ts'
import { ThresholdError } from './thresholdError.ts'

export type KeyGenerationOptions = {
  readonly session: Session
  readonly identity: Identity
  /** 1 to n. */
  readonly place: number
  readonly random: RandomBytes
}

/** A member's share of a key, with its public part. */
export type KeyShare = {
  readonly place: number
  readonly share: bigint
  readonly key: GroupKey
  readonly commitments: readonly string[]
}

/** The steps of one member, each once and in this order; each takes the messages of all members. */
export type KeyGeneration = {
  commit(): Signed
  offer(commits: readonly Signed[]): Signed
  deal(offers: readonly Signed[]): Promise<Signed>
  check(deals: readonly Signed[]): Promise<Signed>
  answer(complaints: readonly Signed[]): Signed
  /** The share is valid only after `complete`. */
  finish(answers: readonly Signed[]): { readonly share: KeyShare; readonly confirmation: Signed }
  complete(confirmations: readonly Signed[]): Certificate
}

/**
 * One member's side of the distributed key generation of Pedersen (1991), with Feldman's
 * commitments, proofs of knowledge as in the key generation of FROST (Komlo and Goldberg, 2020),
 * and commitments to the offers before they are revealed.
 *
 * Assumptions and guarantees:
 * - Fewer than `needed` members are dishonest: they learn nothing about the key, and their faults
 *   are detected. Every member must take part; a silent one prevents the creation of a key.
 * - The roster with its signing keys comes from each member's own configuration. The relay learns
 *   no share, cannot impersonate a member, and can at most make a run fail: every message is signed
 *   for this session, shares are encrypted to keys of this run, and members that received different
 *   messages detect it in the last step.
 * - At least one honest member has good randomness.
 *
 * Why not the scheme of Gennaro, Jarecki, Krawczyk and Rabin (1999): its key is perfectly uniform,
 * for one more round. Here nobody sees another polynomial before fixing their own, and only
 * detected dealers can drop out afterwards, so dishonest members can bias the key only by choosing
 * which of them are excluded, at the price of being identified. For encryption keys, such a bias
 * does not help to decrypt (Gennaro et al., 2007).
 *
 * @throws ThresholdError from each step: `dealer` with the member at fault, `run` for a step out of
 * order
 */
export function keyGeneration(options: KeyGenerationOptions): KeyGeneration {
  const { session, identity, place, random } = options
  const { digest, roster } = session
  const { needed, members } = roster
  const transcript = sha256.create().update(framed('threshold transcript 1', digest))
  const polynomial = randomPolynomial(needed, random)
  const ownCommitments = commitTo(polynomial)
  const transportSecret = random(32)
  let step = 0
  let ownOffer: Signed
  let offerDigests: string[] = []
  let offers: Offer[] = []
  let dealt: Commitments[] = []
  let received: (bigint | undefined)[] = []
  let complaints: number[][] = []
  let result: KeyShare | undefined

  const enter = (expected: number): void => {
    if (step !== expected)
      throw new ThresholdError('run', 'a step of the key generation is out of order')
    step += 1
  }
  const sign = <T>(kind: Kind<T>, message: T) => signMessage(kind, digest, message, identity)

  /**
   * Reads the messages of all members, in the order of the roster, and adds them to the transcript.
   */
  function readAll<T>(kind: Kind<T>, signed: readonly Signed[]): T[] {
    if (signed.length !== members.length)
      throw new ThresholdError('run', `${members.length} messages are needed (${kind.name})`)
    return signed.map((one, at) => {
      transcript.update(framed(kind.name, Buffer.from(one.body), Buffer.from(one.signature)))
      return readMessage(kind, digest, one, members[at] as Member)
    })
  }

  /** Binds a proof of knowledge to the session and the dealer. */
  const proofContext = (dealer: number) =>
    framed('dealer', digest, Buffer.from(members[dealer - 1]?.publicKey ?? '', 'hex'))

  return {
    commit() {
      enter(0)
      const [constant] = ownCommitments
      const [secret] = polynomial
      if (constant === undefined || secret === undefined) throw new ThresholdError('run', 'empty')
      ownOffer = sign(offer, {
        commitments: hexCommitments(ownCommitments),
        proof: proveKnowledge(proofContext(place), constant, secret, random),
        transportKey: publicHalf(transportSecret),
      })
      return sign(commit, { offer: offerDigest(ownOffer) })
    },

    offer(commits) {
      enter(1)
      offerDigests = readAll(commit, commits).map((said) => said.offer)
      return ownOffer
    },

    async deal(signed) {
      enter(2)
      offers = readAll(offer, signed)
      dealt = offers.map((said, at) => {
        const wrong = (what: string): never => {
          throw new ThresholdError('dealer', `${members[at]?.address} offered ${what}`)
        }
        if (offerDigest(signed[at] as Signed) !== offerDigests[at])
          return wrong('something other than its commitment')
        if (said.commitments.length !== needed) return wrong('a polynomial of the wrong degree')
        const commitments = readPoints(said.commitments) ?? wrong('invalid points')
        const [constant] = commitments
        if (
          constant === undefined ||
          constant.isSmallOrder() ||
          !verifyKnowledge(proofContext(at + 1), constant, said.proof)
        )
          return wrong('a commitment without a proof of knowledge for this session')
        return commitments
      })
      const shares = offers.map(async ({ transportKey }, at) => {
        if (at + 1 === place) return ''
        const context = shareContext(digest, place, at + 1)
        try {
          return await sealShare(scalars.toBytes(valueAt(polynomial, at + 1)), {
            transportKey,
            context,
          })
        } catch (cause) {
          throw new ThresholdError(
            'dealer',
            `${members[at]?.address} offered an invalid transport key`,
            { cause },
          )
        }
      })
      return sign(deal, { shares: await Promise.all(shares) })
    },

    async check(deals) {
      enter(3)
      const said = readAll(deal, deals)
      const key = await encryptionKeyOf(transportSecret)
      received = await Promise.all(
        said.map(async ({ shares }, at) => {
          const dealer = at + 1
          if (dealer === place) return valueAt(polynomial, place)
          const context = shareContext(digest, dealer, place)
          const share = await openShare(shares[place - 1], { key, context })
          return share !== undefined && shareFits(share, dealt[at] as Commitments, place)
            ? share
            : undefined
        }),
      )
      const dealers = received.flatMap((share, at) => (share === undefined ? [at + 1] : []))
      return sign(complaint, { dealers })
    },

    answer(signed) {
      enter(4)
      complaints = readAll(complaint, signed).map(({ dealers }) => dealers)
      const complainers = complaints.flatMap((dealers, at) =>
        dealers.includes(place) && at + 1 !== place ? [at + 1] : [],
      )
      return sign(answer, {
        shares: complainers.map((at) => ({ place: at, share: hexOf(valueAt(polynomial, at)) })),
      })
    },

    finish(signed) {
      enter(5)
      const answers = readAll(answer, signed).map(({ shares }) => shares)
      const { qualified, revealed } = settleComplaints({
        roster,
        dealt,
        complaints,
        answers,
        place,
      })
      const share = qualified.reduce(
        (sum, dealer) => scalars.add(sum, (received[dealer - 1] ?? revealed.get(dealer)) as bigint),
        0n,
      )
      const commitments = groupCommitments(qualified.map((at) => dealt[at - 1] as Commitments))
      if (!shareFits(share, commitments, place))
        throw new ThresholdError('run', 'the share does not match the group key')
      const key = groupKeyOf(session, commitments)
      const hex = hexCommitments(commitments)
      result = { place, share, key, commitments: hex }
      return {
        share: result,
        confirmation: sign(confirmation, {
          publicKey: key.publicKey,
          commitments: digestOf(hex),
          transcript: Buffer.from(transcript.digest()).toString('hex'),
        }),
      }
    },

    complete(confirmations) {
      enter(6)
      const said = readConfirmations(session, confirmations)
      if (result === undefined || said.commitments !== digestOf(result.commitments))
        throw new ThresholdError('run', 'the members confirmed another key')
      return {
        session: session.id,
        commitments: [...result.commitments],
        confirmations: [...confirmations],
      }
    },
  }
}

const offerDigest = ({ body }: Signed): string =>
  Buffer.from(sha256(framed('threshold offer 1', Buffer.from(body)))).toString('hex')

const publicHalf = (transportSecret: Uint8Array): string =>
  Buffer.from(x25519.getPublicKey(transportSecret)).toString('hex')

function readPoints(hex: readonly string[]): Commitments | undefined {
  try {
    return hex.map(pointOf)
  } catch {
    return undefined
  }
}
