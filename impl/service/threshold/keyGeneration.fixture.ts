import { randomBytes } from 'node:crypto'
import { type RandomBytes, scalars } from './group.ts'
import type { Certificate } from './groupKey.ts'
import { type KeyGeneration, type KeyShare, keyGeneration } from './keyGeneration.ts'
import { lagrangeAtZero } from './polynomial.ts'
import { type Identity, identityOf, type Roster, type Session, sessionOf } from './roster.ts'
import type { Signed } from './signed.ts'

export type Group = {
  readonly identities: readonly Identity[]
  readonly roster: Roster
  readonly session: Session
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Members with new keys, and a session of them. */
export function groupOf(members: number, needed: number): Group {
  const identities = Array.from({ length: members }, () =>
    identityOf(`0x${hex(randomBytes(20))}`, hex(randomBytes(32))),
  )
  const roster = {
    needed,
    members: identities.map(({ address, publicKey }) => ({ address, publicKey })),
  }
  return { identities, roster, session: sessionOf(hex(randomBytes(32)), roster) }
}

export type StepName = Exclude<keyof KeyGeneration, 'complete'>

/** Changes to the messages of a step, for each receiving member `to`. */
export type Relay = (step: StepName, messages: readonly Signed[], to: number) => readonly Signed[]

export type RunOptions = {
  readonly random?: RandomBytes | undefined
  readonly relay?: Relay | undefined
  /** Replaces an honest member by a dishonest one. */
  readonly member?: ((honest: KeyGeneration, place: number) => KeyGeneration) | undefined
}

export type Made = { readonly shares: readonly KeyShare[]; readonly certificate: Certificate }

/** The whole run, with messages passed in memory. */
export async function makeKey(
  { identities, session }: Group,
  {
    random = randomBytes,
    relay = (_, messages) => messages,
    member = (honest) => honest,
  }: RunOptions = {},
): Promise<Made> {
  const members = identities.map((identity, at) =>
    member(keyGeneration({ session, identity, place: at + 1, random }), at + 1),
  )
  const all = <T>(call: (one: KeyGeneration, place: number) => T) =>
    Promise.all(members.map((one, at) => call(one, at + 1)))
  const commits = await all((one) => one.commit())
  const offers = await all((one, to) => one.offer(relay('commit', commits, to)))
  const deals = await all((one, to) => one.deal(relay('offer', offers, to)))
  const complaints = await all((one, to) => one.check(relay('deal', deals, to)))
  const answers = await all((one, to) => one.answer(relay('check', complaints, to)))
  const finished = await all((one, to) => one.finish(relay('answer', answers, to)))
  const confirmations = finished.map(({ confirmation }) => confirmation)
  const certificates = await all((one, to) => one.complete(relay('finish', confirmations, to)))
  return {
    shares: finished.map(({ share }) => share),
    certificate: certificates[0] as Certificate,
  }
}

/** The public key of a run. */
export const publicKeyOf = ({ shares }: Made): string => (shares[0] as KeyShare).key.publicKey

/** The secret key itself, which only tests compute. */
export function secretOf(shares: readonly KeyShare[]): bigint {
  const places = shares.map(({ place }) => place)
  return shares.reduce(
    (sum, { place, share }) => scalars.add(sum, scalars.mul(lagrangeAtZero(place, places), share)),
    0n,
  )
}
