import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import semver, { type SemVer } from 'semver'

/** The oldest `version()` of a Policy and a PolicyData that this service evaluates. */
export const minimumVersions = { policy: '1.0.0', policyData: '1.0.0' } as const
export type MinimumVersions = Readonly<Record<keyof typeof minimumVersions, string>>

/**
 * Equal major version, and a minor version not below that of the minimum (decision C14). A
 * pre-release is compatible only if the minimum is an earlier pre-release of the same version.
 * Build metadata is ignored. Anything that is not strict SemVer is incompatible.
 */
export function isCompatible(found: string, minimum: string): boolean {
  const version = strictVersion(found)
  const least = strictVersion(minimum)
  if (version === undefined || least === undefined) return false
  if (version.prerelease.length > 0)
    return version.compareMain(least) === 0 && version.comparePre(least) >= 0 && isPre(least)
  return version.major === least.major && version.minor >= least.minor
}

const isPre = ({ prerelease }: SemVer) => prerelease.length > 0

/** The parser alone also accepts `v1.2.0`, `=1.2.0` and surrounding blanks. */
function strictVersion(text: string): SemVer | undefined {
  const version = semver.parse(text)
  if (version === null) return undefined
  const build = version.build.length === 0 ? '' : `+${version.build.join('.')}`
  return `${version.version}${build}` === text ? version : undefined
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

/** @throws ServiceError -32619 for a PolicyData whose attesters sign another form than those of decision C8 */
export function requireKnownDigest(source: {
  readonly policyDataAddress: string
  readonly digestVersion: number
}): void {
  if (source.digestVersion === 1 || source.digestVersion === 2) return
  const { policyDataAddress, digestVersion } = source
  throw new ServiceError(
    `Incompatible policy data version: ${policyDataAddress} has digest version ${digestVersion}; known are 1 and 2`,
    {
      code: errorCode.incompatiblePolicyDataVersion,
      clause: 'section 7.2, decision C8',
      hint: 'Deploy the policy data with a tool of this service’s version.',
    },
  )
}

/** A contract may return a version of any content and length. */
const maxVersionLength = 64

function mismatch(what: string, found: string, minimum: string) {
  const short = found.length > maxVersionLength ? `${found.slice(0, maxVersionLength)}...` : found
  return `Incompatible ${what} version: ${short === '' ? 'none' : short} is not compatible with ${minimum}`
}
