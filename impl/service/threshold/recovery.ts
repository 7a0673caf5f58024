import { x25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { type Static, Type } from '@sinclair/typebox'
import { encryptionKeyOf } from '../envelopes/encryptionKey.ts'
import {
  base,
  framed,
  hexOf,
  type Point,
  type RandomBytes,
  randomScalar,
  scalars,
  subgroupPointOf,
  zero,
} from './group.ts'
import { Certificate, digestOf, type GroupKey, openCertificate } from './groupKey.ts'
import type { KeyShare } from './keyGeneration.ts'
import { lagrangeAt } from './polynomial.ts'
import { checkRoster, type Identity, type Member, maxMembers, type Roster } from './roster.ts'
import { openShare, sealShare, shareContext } from './sealedShare.ts'
import { type Kind, kindOf, readMessage, type Signed, signMessage } from './signed.ts'
import { RosterRecord } from './storedShare.ts'
import { ThresholdError } from './thresholdError.ts'

const Hex32 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Sealed = Type.String({ pattern: '^[0-9a-f]{160}$' })
const Place = Type.Integer({ minimum: 1, maximum: maxMembers })

/** The recovery of one member's share, as the coordinator proposes it. */
export const RecoveryPlan = Type.Object({
  id: Hex32,
  certificate: Certificate,
  roster: RosterRecord,
  /** The member that has lost its share. */
  lost: Place,
  /** As many others as are needed, ascending. */
  helpers: Type.Array(Place, { minItems: 2, maxItems: maxMembers, uniqueItems: true }),
})
export type RecoveryPlan = Static<typeof RecoveryPlan>

const transport = kindOf('recovery transport', Type.Object({ transportKey: Hex32 }))
/** One piece for each helper, in their order; the commitments are the pieces times the base point. */
export const pieces = kindOf(
  'recovery pieces',
  Type.Object({
    commitments: Type.Array(Hex32, { maxItems: maxMembers }),
    sealed: Type.Array(Sealed, { maxItems: maxMembers }),
  }),
)
/** The sum of the pieces that a helper got, and the hash of all pieces that it saw. */
export const sum = kindOf('recovery sum', Type.Object({ sum: Sealed, seen: Hex32 }))
/** Only says that the member has stored its share. */
export const recovered = kindOf('recovered', Type.Object({ session: Hex32 }))

/** A verified plan. */
export type Recovery = {
  readonly plan: RecoveryPlan
  readonly key: GroupKey
  readonly digest: Uint8Array
  readonly lost: Member
  readonly helpers: readonly Member[]
}

/** Verifies a plan as far as possible without the member's configuration. @throws ThresholdError */
export function readRecoveryPlan(plan: RecoveryPlan): Recovery {
  const roster: Roster = plan.roster
  checkRoster(roster)
  const key = openCertificate(plan.certificate, roster)
  const lost = roster.members[plan.lost - 1]
  const helpers = plan.helpers.flatMap((place) => roster.members[place - 1] ?? [])
  const ascending = plan.helpers.every(
    (place, at) => at === 0 || place > (plan.helpers[at - 1] ?? 0),
  )
  if (lost === undefined || !ascending || plan.helpers.includes(plan.lost))
    throw new ThresholdError('run', 'not a recovery by other members in ascending order')
  if (helpers.length !== roster.needed || plan.helpers.length !== roster.needed)
    throw new ThresholdError('run', `a recovery takes exactly ${roster.needed} helpers`)
  const digest = sha256(
    framed(
      'threshold recovery 1',
      Buffer.from(plan.id, 'hex'),
      key.session.digest,
      Buffer.from(digestOf(plan.certificate.commitments), 'hex'),
      Uint8Array.of(plan.lost, ...plan.helpers),
    ),
  )
  return { plan, key, digest, lost, helpers }
}

export type RecoveryOptions = {
  readonly recovery: Recovery
  readonly identity: Identity
  /** The share of a helper; undefined for the member that has lost its own. */
  readonly share: KeyShare | undefined
  readonly random: RandomBytes
}

/**
 * The steps of one member, in this order. `transport` is for all, `split` and `sum` for helpers,
 * `restore` for the member that has lost its share.
 */
export type RecoveryRun = {
  transport(): Signed
  split(keys: readonly Signed[]): Promise<Signed>
  sum(pieces: readonly Signed[]): Promise<Signed>
  restore(pieces: readonly Signed[], sums: readonly Signed[]): Promise<KeyShare>
}

/**
 * One member's side of a recovery: the enrollment protocol for shares (Stinson and Wei, 2018). The
 * lost share is a sum of the helpers' shares with public factors. Each helper splits its summand into
 * random pieces, one for each helper; each helper adds the pieces that it got; the member adds these
 * sums. Nobody sees a summand of another: it is known only as the sum of pieces, one of which stays
 * with its helper. The commitments to the pieces show who sends wrong ones.
 *
 * The key, its epoch and the shares of others do not change. With fewer than `needed` dishonest
 * members the others learn nothing; every helper is needed for the run.
 *
 * @throws ThresholdError `dealer` with the member at fault, `run`
 */
export function recoveryRun(options: RecoveryOptions): RecoveryRun {
  const { recovery, identity, share, random } = options
  const { plan, key, digest, helpers, lost } = recovery
  const own = share === undefined ? 0 : plan.helpers.indexOf(share.place) + 1
  const secret = random(32)
  const parties = [...helpers, lost]
  let keys: string[] = []
  let mine: bigint[] = []
  let step = 0

  const enter = (expected: number, allowed: boolean): void => {
    if (!allowed) throw new ThresholdError('run', 'a step of the recovery is not for this member')
    if (step >= expected) throw new ThresholdError('run', 'a step of the recovery is out of order')
    step = expected
  }
  const sign = <T>(kind: Kind<T>, message: T) => signMessage(kind, digest, message, identity)
  function readAll<T>(kind: Kind<T>, signed: readonly Signed[], from: readonly Member[]): T[] {
    if (signed.length !== from.length)
      throw new ThresholdError('run', `${from.length} messages are needed (${kind.name})`)
    return signed.map((one, at) => readMessage(kind, digest, one, from[at] as Member))
  }
  const blame = (at: number, what: string): never => {
    throw new ThresholdError('dealer', `${parties[at]?.address} sent ${what}`, {
      hint: 'Check this operator, then retry with others.',
    })
  }
  const sealTo = async (value: bigint, from: number, to: number): Promise<string> => {
    const context = shareContext(digest, from, to)
    const transportKey = keys[to - 1] as string
    try {
      return await sealShare(scalars.toBytes(value), { transportKey, context })
    } catch {
      return blame(to - 1, 'an invalid transport key')
    }
  }
  const factorOf = (place: number) => lagrangeAt(plan.lost, place, plan.helpers)

  /** The points of all pieces, by helper; those of each helper add up to its summand. */
  function readPieces(signed: readonly Signed[]) {
    const said = readAll(pieces, signed, helpers)
    const points = said.map(({ commitments, sealed }, at) => {
      if (commitments.length !== helpers.length || sealed.length !== helpers.length)
        return blame(at, 'the wrong number of pieces')
      let all: Point[] = []
      try {
        all = commitments.map(subgroupPointOf)
      } catch {
        blame(at, 'invalid points')
      }
      const place = plan.helpers[at] as number
      const summand = key.verificationKey(place).multiplyUnsafe(factorOf(place))
      if (!all.reduce((total, point) => total.add(point), zero).equals(summand))
        return blame(at, 'pieces of something other than its share')
      return all
    })
    return { said, points }
  }

  return {
    transport() {
      enter(1, true)
      const transportKey = Buffer.from(x25519.getPublicKey(secret)).toString('hex')
      return sign(transport, { transportKey })
    },

    async split(signed) {
      enter(2, own > 0)
      keys = readAll(transport, signed, parties).map(({ transportKey }) => transportKey)
      const { place, share: value } = share as KeyShare
      const summand = scalars.mul(factorOf(place), value)
      const others = helpers.slice(1).map(() => randomScalar(random))
      mine = [others.reduce((rest, piece) => scalars.sub(rest, piece), summand), ...others]
      return sign(pieces, {
        commitments: mine.map((piece) => hexOf(base.multiply(piece))),
        sealed: await Promise.all(mine.map((piece, at) => sealTo(piece, own, at + 1))),
      })
    },

    async sum(signed) {
      enter(3, own > 0)
      if (mine.length === 0)
        throw new ThresholdError('run', 'a step of the recovery is out of order')
      const { said, points } = readPieces(signed)
      const recipient = await encryptionKeyOf(secret)
      let total = 0n
      for (const [at, { sealed }] of said.entries()) {
        const context = shareContext(digest, at + 1, own)
        const piece = await openShare(sealed[own - 1], { key: recipient, context })
        const point = points[at]?.[own - 1] as Point
        if (piece === undefined || piece === 0n || !base.multiply(piece).equals(point))
          return blame(at, 'a piece that differs from its commitment')
        total = scalars.add(total, piece)
      }
      const sealed = await sealTo(total, own, parties.length)
      return sign(sum, { sum: sealed, seen: seenOf(signed) })
    },

    async restore(signed, sums) {
      enter(4, own === 0)
      const { points } = readPieces(signed)
      const said = readAll(sum, sums, helpers)
      const recipient = await encryptionKeyOf(secret)
      const seen = seenOf(signed)
      let value = 0n
      for (const [at, one] of said.entries()) {
        if (one.seen !== seen)
          throw new ThresholdError('run', `${helpers[at]?.address} saw other pieces`, {
            hint: 'Helpers received different messages; retry, then check the relay.',
          })
        const context = shareContext(digest, at + 1, parties.length)
        const part = await openShare(one.sum, { key: recipient, context })
        const point = points.reduce((total, row) => total.add(row[at] as Point), zero)
        if (part === undefined || part === 0n || !base.multiply(part).equals(point))
          return blame(at, 'a sum that differs from its pieces')
        value = scalars.add(value, part)
      }
      if (value === 0n || !base.multiply(value).equals(key.verificationKey(plan.lost)))
        throw new ThresholdError('run', 'the recovered share does not match the group key')
      return { place: plan.lost, share: value, key, commitments: plan.certificate.commitments }
    },
  }
}

function seenOf(signed: readonly Signed[]): string {
  const texts = signed.flatMap(({ body, signature }) => [Buffer.from(body), Buffer.from(signature)])
  return Buffer.from(sha256(framed('threshold recovery pieces 1', ...texts))).toString('hex')
}
