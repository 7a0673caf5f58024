import type { Builtin } from 'polgate-rego/builtins/builtin.ts'
import { PROFILES, type ProfileName, profileBuiltins } from 'polgate-rego/builtins/capabilities.ts'
import { serviceExtensions } from 'polgate-rego/builtins/extensions.ts'
import { nearest } from 'polgate-rego/report/nearest.ts'
import { CommandError } from '../verb.ts'

/** Which functions a policy may call (decision R11). */
export type Capabilities = ReadonlyMap<string, Builtin>

const extensions = serviceExtensions().map((each) => [each.name, each] as const)

/** All that this engine has. */
export const allCapabilities: Capabilities = profileBuiltins('latest')

/** What a policy can call when the service evaluates it. */
export const serviceCapabilities: Capabilities = profileBuiltins('service')

/**
 * The functions of a profile. The extensions are in each: a policy of the service that calls
 * them is tested with the profile of OPA too.
 * @throws CommandError for a name that is no profile
 */
export const capabilitiesOf = (profile: string): Capabilities => {
  if (profile === 'service') return serviceCapabilities
  if (PROFILES.includes(profile as ProfileName)) {
    return new Map([...profileBuiltins(profile as ProfileName), ...extensions])
  }
  const near = nearest(profile, PROFILES)
  throw new CommandError(`There is no profile ${profile}`, {
    hint: near === undefined ? `Profiles are ${PROFILES.join(', ')}.` : `Did you mean ${near}?`,
  })
}
