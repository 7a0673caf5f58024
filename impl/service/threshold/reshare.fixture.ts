import { randomBytes } from 'node:crypto'
import type { Group, Made } from './keyGeneration.fixture.ts'
import type { KeyShare } from './keyGeneration.ts'
import { type Reshare, readPlan } from './resharePlan.ts'
import { type Resharing, resharing } from './resharing.ts'
import { type Identity, placeOf, type Roster } from './roster.ts'
import type { Signed } from './signed.ts'
import { rosterRecord } from './storedShare.ts'

export type ReshareStep = Exclude<keyof Resharing, never>

export type ReshareOptions = {
  readonly session?: string
  /** Places that deal; default all. */
  readonly dealers?: readonly number[]
  /** Changes to the messages of a step, for each receiving member. */
  readonly relay?: (
    step: ReshareStep,
    messages: readonly Signed[],
    to: Identity,
  ) => readonly Signed[]
  /** Replaces an honest member by a dishonest one. */
  readonly member?: (honest: Resharing, identity: Identity, reshare: Reshare) => Resharing
}

export type Reshared = {
  readonly reshare: Reshare
  readonly shares: readonly KeyShare[]
  readonly confirmations: readonly Signed[]
}

/** A resharing of `made` among identities, with messages passed in memory. */
export async function reshareTo(
  { identities, roster }: Group,
  { shares, certificate }: Made,
  to: Roster,
  options: ReshareOptions = {},
): Promise<Reshared> {
  const { relay = (_, messages) => messages, member = (honest) => honest } = options
  const dealers = options.dealers ?? roster.members.map((_, at) => at + 1)
  const reshare = readPlan({
    session: options.session ?? randomBytes(32).toString('hex'),
    ...{ certificate, from: rosterRecord(roster), to: rosterRecord(to) },
    dealers: [...dealers],
  })
  const all = identities.map((identity) => {
    const dealer = placeOf(reshare.dealers, identity.address)
    const share = dealer === 0 ? undefined : shares[placeOf(roster, identity.address) - 1]
    const receiver = placeOf(to, identity.address)
    const honest = resharing({ reshare, identity, share, dealer, receiver, random: randomBytes })
    return { identity, run: member(honest, identity, reshare) }
  })
  const of = (members: Roster) =>
    members.members.map(
      ({ address }) =>
        all.find(({ identity }) => identity.address === address) as (typeof all)[number],
    )
  const each = <T>(who: Roster, call: (run: Resharing, by: Identity) => T) =>
    Promise.all(of(who).map(({ run, identity }) => call(run, identity)))
  const keys = await each(to, (run) => run.transport())
  const deals = await each(reshare.dealers, (run, by) => run.deal(relay('transport', keys, by)))
  const complaints = await each(to, (run, by) =>
    run.check(relay('deal', deals, by), relay('transport', keys, by)),
  )
  const answers = await each(reshare.dealers, (run, by) =>
    run.answer(relay('check', complaints, by)),
  )
  const finished = await each(to, (run, by) =>
    run.finish(relay('answer', answers, by), relay('check', complaints, by)),
  )
  return {
    reshare,
    shares: finished.map(({ share }) => share),
    confirmations: finished.map(({ confirmation }) => confirmation),
  }
}
