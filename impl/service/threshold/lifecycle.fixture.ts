import { randomBytes } from 'node:crypto'
import { sealEnvelope } from '../envelopes/envelope.ts'
import { findOrMakeKey } from './coordinator.ts'
import type { GroupKey } from './groupKey.ts'
import type { LifecycleOptions } from './keyEpochs.ts'
import { groupOf } from './keyGeneration.fixture.ts'
import { createKeyHolder, type KeyMember } from './keyHolder.ts'
import { beginOpening } from './opening.ts'
import type { Identity, Roster } from './roster.ts'
import type { RosterRules } from './rosterRules.ts'
import { type ShareFile, shareFile } from './shareFile.ts'

export const where = {
  policyClient: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  chainId: 31337,
} as const
export const plaintext = 'known to the subject only'
export const signal = new AbortController().signal

export type Operators = {
  readonly identities: readonly Identity[]
  readonly directory: string
  readonly rules: RosterRules
}

/** Operators in a directory; the first `members` of them are the roster. */
export function operatorsOf(
  directory: string,
  { all, members = all, needed }: { all: number; members?: number; needed: number },
): Operators {
  return operatorsFrom(directory, groupOf(all, 2).identities, { members, needed })
}

export function operatorsFrom(
  directory: string,
  identities: readonly Identity[],
  { members, needed }: { members: number; needed: number },
): Operators {
  const roster = rosterOf(identities.slice(0, members), needed)
  const next = members < identities.length ? rosterOf(identities, needed) : undefined
  return { identities, directory, rules: { roster, next, anyRoster: true } }
}

export const rosterOf = (identities: readonly Identity[], needed: number): Roster => ({
  needed,
  members: identities.map(({ address, publicKey }) => ({ address, publicKey })),
})

/** Newly started operators, with empty memory. */
export const startAll = (
  { identities, directory, rules }: Operators,
  file: (made: ShareFile, at: number) => ShareFile = (made) => made,
): KeyMember[] =>
  identities.map((identity, at) =>
    createKeyHolder({
      ...rules,
      identity,
      file: file(shareFile(directory, identity.address), at),
      random: randomBytes,
      approve: () => true,
    }),
  )

export const lifecycleOf = (
  { rules }: Operators,
  members: readonly KeyMember[],
): LifecycleOptions => ({ members, rules, random: randomBytes, signal })

export const generate = (operators: Operators, members: readonly KeyMember[]) =>
  findOrMakeKey({
    holders: members.slice(0, operators.rules.roster.members.length),
    roster: operators.rules.roster,
    random: randomBytes,
    signal,
  })

export const sealTo = ({ publicKey }: Pick<GroupKey, 'publicKey'>): Promise<string> =>
  sealEnvelope({ plaintext: Buffer.from(plaintext), ...where, recipientPublicKey: publicKey })

/** Decrypts on behalf of an operator, with the answers of some members. */
export async function openWith(
  key: GroupKey,
  opener: Identity,
  members: readonly KeyMember[],
  envelope: string,
): Promise<string> {
  const opening = await beginOpening({ envelope, key, identity: opener, random: randomBytes })
  const told = await Promise.allSettled(members.map((each) => each.open(opening.request, signal)))
  const answers = told.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  return Buffer.from(await opening.open(answers, where)).toString()
}

/** An operator that does not answer. */
export function down(member: KeyMember): KeyMember {
  const gone = async (): Promise<never> => {
    throw new Error('operator unreachable')
  }
  const { address } = member
  return {
    ...{ address, status: gone, generate: gone, complete: gone, open: gone },
    ...{ reshare: gone, settle: gone, recover: gone },
  }
}
