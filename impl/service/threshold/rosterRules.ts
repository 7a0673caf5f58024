import { checkRoster, type Roster } from './roster.ts'
import { sameRoster } from './storedShare.ts'

/** The rosters that a member or a gateway accepts, from its own configuration. */
export type RosterRules = {
  readonly roster: Roster
  /** The roster that the key may be reshared to; without it, only that of `roster`. */
  readonly next?: Roster | undefined
  /**
   * Whether the key may be reshared among any of the members, with any threshold. A coordinator could
   * then choose a roster of dishonest members only.
   */
  readonly anyRoster?: boolean | undefined
}

/** Whether a key of this roster is one of the configured operators. */
export const acceptsRoster = ({ roster, next, anyRoster }: RosterRules, other: Roster): boolean =>
  sameRoster(roster, other) ||
  (next !== undefined && sameRoster(next, other)) ||
  (anyRoster === true && amongMembers([roster, ...(next === undefined ? [] : [next])], other))

/** Whether a key of one roster may be reshared to another; a refresh keeps the roster. */
export const acceptsTarget = (rules: RosterRules, from: Roster, to: Roster): boolean =>
  sameRoster(rules.next ?? rules.roster, to) ||
  ((rules.anyRoster === true || sameRoster(from, to)) && acceptsRoster(rules, to))

function amongMembers(known: readonly Roster[], other: Roster): boolean {
  try {
    checkRoster(other)
  } catch {
    return false
  }
  const all = known.flatMap(({ members }) => members)
  return other.members.every(({ address, publicKey }) =>
    all.some(
      (member) =>
        member.address.toLowerCase() === address.toLowerCase() && member.publicKey === publicKey,
    ),
  )
}
