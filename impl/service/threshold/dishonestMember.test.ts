import { randomBytes } from 'node:crypto'
import { ED25519_TORSION_SUBGROUP } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { describe, expect, it } from 'vitest'
import { framed, hexOf, pointOf, scalars, zero } from './group.ts'
import { groupCommitments, hexCommitments, openCertificate } from './groupKey.ts'
import { groupOf, makeKey, publicKeyOf, secretOf } from './keyGeneration.fixture.ts'
import { type KeyGeneration, type KeyShare, keyGeneration } from './keyGeneration.ts'
import {
  answer,
  type Confirmation,
  commit,
  complaint,
  confirmation,
  deal,
  type Offer,
  offer,
} from './messages.ts'
import { commitTo, randomPolynomial, valueAt } from './polynomial.ts'
import { sessionOf } from './roster.ts'
import { sealShare, shareContext } from './sealedShare.ts'
import { shareFits } from './settleComplaints.ts'
import { type Kind, readMessage, type Signed, signMessage } from './signed.ts'

/** A member that sends something else in one step, signed with its own key. */
function dishonest<T>(
  group: ReturnType<typeof groupOf>,
  liar: number,
  step: 'offer' | 'deal' | 'check' | 'answer',
  kind: Kind<T>,
  lie: (message: T) => T,
) {
  return (honest: KeyGeneration, place: number): KeyGeneration => {
    if (place !== liar) return honest
    const identity = group.identities[liar - 1]!
    const again = (signed: Signed) => {
      const { digest, roster } = group.session
      const said = readMessage(kind, digest, signed, roster.members[liar - 1]!)
      return signMessage(kind, digest, lie(said), identity)
    }
    return { ...honest, [step]: async (said: never) => again(await honest[step](said)) }
  }
}

const flip = (hex: string) => (hex.startsWith('0') ? '1' : '0') + hex.slice(1)

describe('a dishonest member', () => {
  it('that deals an invalid share and cannot justify it is excluded; the others create the key', async () => {
    const group = groupOf(4, 3)
    const lie = dishonest(group, 2, 'deal', deal, ({ shares }) => ({
      shares: shares.map((share, at) => (at === 0 ? flip(share) : share)),
    }))
    const silent = dishonest(group, 2, 'answer', answer, () => ({ shares: [] }))
    let offered: readonly Signed[] = []
    const made = await makeKey(group, {
      member: (honest, at) => silent(lie(honest, at), at),
      relay: (step, all) => {
        if (step === 'offer') offered = all
        return all
      },
    })
    expect(secretOf(made.shares.slice(1))).toBe(secretOf(made.shares.slice(0, 3)))
    expect(openCertificate(made.certificate, group.roster).publicKey).toBe(publicKeyOf(made))
    const constants = offered.map(({ body }) =>
      pointOf((JSON.parse(body) as Offer).commitments[0]!),
    )
    const sumOf = (dealers: number[]) =>
      dealers.reduce((sum, at) => sum.add(constants[at - 1]!), zero).toHex()
    expect(made.certificate.commitments[0]).toBe(sumOf([1, 3, 4]))
    expect(made.certificate.commitments[0]).not.toBe(sumOf([1, 2, 3, 4]))
  })

  it('that seals an invalid share and insists on it is excluded', async () => {
    const group = groupOf(3, 2)
    const { digest } = group.session
    let transportKey = ''
    const seal = () =>
      sealShare(scalars.toBytes(7n), { transportKey, context: shareContext(digest, 2, 1) })
    const member = (honest: KeyGeneration, place: number): KeyGeneration => {
      if (place !== 2) return honest
      const insisting = dishonest(group, 2, 'answer', answer, () => ({
        shares: [{ place: 1, share: hexOf(7n) }],
      }))(honest, place)
      return {
        ...insisting,
        async deal(offers) {
          const { body } = await honest.deal(offers)
          const shares = [...(JSON.parse(body) as { shares: string[] }).shares]
          shares[0] = await seal()
          return signMessage(deal, digest, { shares }, group.identities[1]!)
        },
      }
    }
    const made = await makeKey(group, {
      member,
      relay: (step, all) => {
        if (step === 'offer') transportKey = (JSON.parse(all[0]!.body) as Offer).transportKey
        return all
      },
    })
    const [a, b, c] = made.shares as [KeyShare, KeyShare, KeyShare]
    expect(secretOf([a, b])).toBe(secretOf([b, c]))
  })

  it('that adds torsion to its commitments changes nothing', () => {
    const torsion = pointOf(ED25519_TORSION_SUBGROUP[1]!)
    const polynomial = randomPolynomial(3, randomBytes)
    const honest = commitTo(polynomial)
    const twisted = honest.map((point) => point.add(torsion))
    expect(shareFits(valueAt(polynomial, 2), twisted, 2)).toBe(true)
    expect(shareFits(valueAt(polynomial, 3), twisted, 2)).toBe(false)
    expect(hexCommitments(groupCommitments([twisted, honest]))).toEqual(
      hexCommitments(groupCommitments([honest, honest])),
    )
  })

  it('ends the run with its address if too few dealers are left', async () => {
    const group = groupOf(3, 3)
    const lie = dishonest(group, 3, 'deal', deal, ({ shares }) => ({
      shares: shares.map((share, at) => (at === 0 ? flip(share) : share)),
    }))
    const silent = dishonest(group, 3, 'answer', answer, () => ({ shares: [] }))
    await expect(
      makeKey(group, { member: (honest, at) => silent(lie(honest, at), at) }),
    ).rejects.toMatchObject({
      code: 'dealer',
      message: expect.stringContaining(group.identities[2]!.address),
    })
  })

  it('that reveals a valid share stays, and the complainer uses it', async () => {
    const group = groupOf(3, 2)
    const lie = dishonest(group, 1, 'deal', deal, ({ shares }) => ({
      shares: shares.map((share, at) => (at === 2 ? flip(share) : share)),
    }))
    const made = await makeKey(group, { member: lie })
    expect(secretOf([made.shares[0]!, made.shares[2]!])).toBe(secretOf(made.shares.slice(0, 2)))
  })

  it('with an unjustified complaint changes nothing', async () => {
    const group = groupOf(3, 2)
    const slander = dishonest(group, 1, 'check', complaint, () => ({ dealers: [2, 3] }))
    const made = await makeKey(group, { member: slander })
    expect(secretOf(made.shares.slice(1))).toBe(secretOf(made.shares.slice(0, 2)))
  })

  it('that confirms another key ends the run with its address', async () => {
    const group = groupOf(3, 2)
    const { digest } = group.session
    const member = (honest: KeyGeneration, place: number): KeyGeneration => ({
      ...honest,
      finish(answers) {
        const finished = honest.finish(answers)
        if (place !== 3) return finished
        const said = JSON.parse(finished.confirmation.body) as Confirmation
        const lie = { ...said, publicKey: flip(said.publicKey) }
        const lied = signMessage(confirmation, digest, lie, group.identities[2]!)
        return { ...finished, confirmation: lied }
      },
    })
    await expect(makeKey(group, { member })).rejects.toMatchObject({
      code: 'run',
      message: expect.stringContaining(group.identities[2]!.address),
    })
  })

  it('with a proof of another session is reported', () => {
    const group = groupOf(2, 2)
    const other = { ...group, session: sessionOf('cd'.repeat(32), group.roster) }
    const of = ({ session, identities }: typeof group, at: number) =>
      keyGeneration({ session, identity: identities[at]!, place: at + 1, random: randomBytes })
    const [mine, earlier] = [of(group, 0), of(other, 1)]
    const early = [of(other, 0).commit(), earlier.commit()]
    const replayed = JSON.parse(earlier.offer(early).body) as Offer
    const { digest } = group.session
    const identity = group.identities[1]!
    const signed = signMessage(offer, digest, replayed, identity)
    const hash = Buffer.from(sha256(framed('threshold offer 1', Buffer.from(signed.body))))
    const commits = [
      mine.commit(),
      signMessage(commit, digest, { offer: hash.toString('hex') }, identity),
    ]
    return expect(mine.deal([mine.offer(commits), signed])).rejects.toMatchObject({
      code: 'dealer',
      message: expect.stringContaining('without a proof of knowledge for this session'),
    })
  })

  it('that offers something other than its commitment is reported', async () => {
    const group = groupOf(3, 2)
    const other = dishonest(group, 2, 'offer', offer, (said) => ({
      ...said,
      transportKey: flip(said.transportKey),
    }))
    await expect(makeKey(group, { member: other })).rejects.toMatchObject({
      code: 'dealer',
      message: expect.stringContaining(
        `${group.identities[1]!.address} offered something other than its commitment`,
      ),
    })
  })
})
