import type { Builtin } from './builtin.ts'
import { serviceExtensions } from './extensions.ts'
import { builtins } from './registry.ts'

/** Which built-ins a policy may use: those of the service, or those of OPA (decision R11). */
export type ProfileName = 'service' | 'opa-1.2' | 'latest'

export const PROFILES: readonly ProfileName[] = ['service', 'opa-1.2', 'latest']

/** Added to OPA after 1.2.0. */
const NEWER = ['array.flatten', 'internal.template_string', 'io.jwt.verify_eddsa']

/** Built-ins of OPA 1.2.0 that the engine of the service lacks: names, or groups. */
const NOT_IN_SERVICE = [
  'json.patch',
  'strings.render_template',
  'regex.globs_match',
  'net.cidr_contains_matches',
  'net.cidr_intersects',
  'net.cidr_merge',
  'net.lookup_ip_addr',
  'crypto.*',
  'io.jwt.*',
  'graphql.*',
  'rego.*',
  'providers.*',
]

const isIn = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  )

function belongs(profile: ProfileName, { name, deprecated }: Builtin): boolean {
  // The compiler rejects these itself, with a reason.
  if (profile === 'latest' || deprecated) return true
  return !isIn(NEWER, name) && (profile === 'opa-1.2' || !isIn(NOT_IN_SERVICE, name))
}

/**
 * The built-ins of a profile by name. The extensions, under their prefix, belong to `service` and
 * to `latest`.
 */
export function profileBuiltins(
  profile: ProfileName,
  prefix?: string,
): ReadonlyMap<string, Builtin> {
  const found = [...builtins.values()].filter((builtin) => belongs(profile, builtin))
  const extensions = profile === 'opa-1.2' ? [] : serviceExtensions(prefix)
  return new Map([...found, ...extensions].map((builtin) => [builtin.name, builtin]))
}

/** Whether a profile has a built-in of OPA; for warnings about missing ones. */
export function isInProfile(profile: ProfileName, name: string): boolean {
  const builtin = builtins.get(name)
  return builtin !== undefined && belongs(profile, builtin)
}
