import semver from 'semver'
import { errorCode } from '../protocol/jsonRpc.ts'
import { ServiceError } from '../protocol/serviceError.ts'

/** The oldest `version()` of a Policy and a PolicyData that this service evaluates. */
export const minimumVersions = { policy: '1.0.0', policyData: '1.0.0' } as const
export type MinimumVersions = Readonly<Record<keyof typeof minimumVersions, string>>

/** Equal major, and not older than the minimum (decision C14). What is no version fits nothing. */
export function isCompatible(found: string, minimum: string): boolean {
  const version = semver.parse(found)
  return (
    version !== null &&
    version.major === semver.major(minimum) &&
    version.minor >= semver.minor(minimum)
  )
}

/** @throws ServiceError -32618 or -32619 for the first contract that is too old or too new. */
export function requireCompatible(
  versions: {
    readonly policy?: string
    readonly policyData: readonly { readonly address: string; readonly version: string }[]
  },
  minimum: MinimumVersions,
): void {
  if (versions.policy !== undefined && !isCompatible(versions.policy, minimum.policy)) {
    throw new ServiceError(mismatch('policy', versions.policy, minimum.policy), {
      code: errorCode.incompatiblePolicyVersion,
      clause: 'section 7.2, decision C14',
      hint: 'Deploy the policy with a tool of this service’s version.',
    })
  }
  for (const { address, version } of versions.policyData) {
    if (isCompatible(version, minimum.policyData)) continue
    throw new ServiceError(mismatch(`policy data ${address}`, version, minimum.policyData), {
      code: errorCode.incompatiblePolicyDataVersion,
      clause: 'section 7.2, decision C14',
      hint: 'Deploy the policy data with a tool of this service’s version.',
    })
  }
}

const mismatch = (what: string, found: string, minimum: string) =>
  `Incompatible ${what} version: ${found === '' ? 'none' : found} is not compatible with ${minimum}`
