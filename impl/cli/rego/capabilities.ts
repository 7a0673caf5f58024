import type { Builtin } from 'polgate-rego/builtins/builtin.ts'
import { PROFILES, type ProfileName, profileBuiltins } from 'polgate-rego/builtins/capabilities.ts'
import { serviceExtensions } from 'polgate-rego/builtins/extensions.ts'
import { nearest } from 'polgate-rego/report/nearest.ts'
import { CommandError } from '../commandDefinition.ts'

/** Built-ins that a policy may call (decision R11). */
export type Capabilities = ReadonlyMap<string, Builtin>

const extensions = serviceExtensions().map((each) => [each.name, each] as const)

/** All built-ins of this engine. */
export const allCapabilities: Capabilities = profileBuiltins('latest')

/** Built-ins of the service. */
export const serviceCapabilities: Capabilities = profileBuiltins('service')

/**
 * The built-ins of a profile. Every profile has the service's extensions, so that policies that call
 * them can be tested with the OPA profile too.
 * @throws CommandError for an unknown profile
 */
export function capabilitiesOf(profile: string): Capabilities {
  if (profile === 'service') return serviceCapabilities
  if (PROFILES.includes(profile as ProfileName)) {
    return new Map([...profileBuiltins(profile as ProfileName), ...extensions])
  }
  const near = nearest(profile, PROFILES)
  throw new CommandError(`Unknown profile ${profile}`, {
    hint: near === undefined ? `Profiles are ${PROFILES.join(', ')}.` : `Did you mean ${near}?`,
  })
}
