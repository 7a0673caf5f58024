import type { Builtin } from 'polgate-rego/builtins/builtin.ts'
import { profileBuiltins } from 'polgate-rego/builtins/capabilities.ts'
import { serviceExtensions } from 'polgate-rego/builtins/extensions.ts'
import { profileOf } from './profileOf.ts'

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
  return new Map([...profileBuiltins(profileOf(profile)), ...extensions])
}
