import type { Builtin } from '../../rego/builtins/builtin.ts'
import { serviceExtensions } from '../../rego/builtins/extensions.ts'
import { builtins } from '../../rego/builtins/registry.ts'
import { nearest } from '../../rego/report/nearest.ts'
import { CommandError } from '../verb.ts'

/** Which functions a policy may call (decision R11). */
export type Capabilities = ReadonlyMap<string, Builtin>

/** What the engine of the service at version 0.9.0 does not have of OPA. */
const LACKING =
  /^(json\.patch|strings\.render_template|regex\.globs_match|array\.flatten|net\.(cidr_contains_matches|cidr_intersects|cidr_merge|lookup_ip_addr)|providers\.aws\..*|rego\..*|(crypto|io\.jwt|graphql)\..*)$/

const extended = (base: Iterable<readonly [string, Builtin]>): Capabilities =>
  new Map([...base, ...serviceExtensions().map((each) => [each.name, each] as const)])

/** All that this engine has, the extensions of the service among them. */
export const allCapabilities = extended(builtins)

/** What a policy can call when the service evaluates it. */
export const serviceCapabilities = extended([...builtins].filter(([name]) => !LACKING.test(name)))

const PROFILES: Readonly<Record<string, Capabilities>> = {
  service: serviceCapabilities,
  'opa-1.2': allCapabilities,
}

/** @throws CommandError for a name that is no profile */
export const capabilitiesOf = (profile: string): Capabilities => {
  const found = PROFILES[profile]
  if (found !== undefined) return found
  const near = nearest(profile, Object.keys(PROFILES))
  throw new CommandError(`There is no profile ${profile}`, {
    hint: near === undefined ? 'Profiles are service and opa-1.2.' : `Did you mean ${near}?`,
  })
}
