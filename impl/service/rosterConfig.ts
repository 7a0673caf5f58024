import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { configHint, type ServiceConfig } from './serviceConfig.ts'
import { checkRoster, identityOf, type Member, placeOf, type Roster } from './threshold/roster.ts'
import type { RosterRules } from './threshold/rosterRules.ts'
import { ThresholdError } from './threshold/thresholdError.ts'

/**
 * The rosters of a configuration in threshold mode.
 *
 * @throws ServiceError if it names no valid roster
 */
export function rosterRulesOf({ operators, threshold }: ServiceConfig): RosterRules {
  if (threshold === undefined) throw invalidThreshold('threshold is missing')
  const all = operators.map((entry, at): Member => {
    const { address } = entry
    if (entry.kind === 'remote') {
      const { thresholdPublicKey: publicKey } = entry
      if (publicKey === undefined)
        throw invalidThreshold(`operators.${at} has no thresholdPublicKey`)
      return { address, publicKey }
    }
    if (entry.thresholdKey === undefined)
      throw invalidThreshold(`operators.${at} has no thresholdKey`)
    return { address, publicKey: identityOf(address, entry.thresholdKey).publicKey }
  })
  const named = (member: string, needed: number, addresses: readonly Address[]): Roster => {
    const members = addresses.map((address, at) => {
      const found = all[placeOf({ needed, members: all }, address) - 1]
      if (found !== undefined) return found
      throw invalidThreshold(`${member}.${at} is not one of operators`)
    })
    return { needed, members }
  }
  const { needed, members, next, resharing } = threshold
  const roster =
    members === undefined ? { needed, members: all } : named('threshold.members', needed, members)
  const following = next && named('threshold.next.members', next.needed, next.members)
  asConfiguration(() => {
    checkRoster(roster)
    if (following !== undefined) checkRoster(following)
  })
  return { roster, next: following, anyRoster: resharing === 'members' }
}

/** @throws ServiceError instead of ThresholdError */
export function asConfiguration<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof ThresholdError ? invalidThreshold(error.message, error) : error
  }
}

const invalidThreshold = (message: string, cause?: unknown) =>
  new ServiceError(`Invalid configuration: ${message}`, {
    code: errorCode.internalError,
    clause: 'section 4.10',
    hint: configHint,
    cause,
  })
