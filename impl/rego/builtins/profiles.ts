import type { Builtin } from './builtin.ts'

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

/** Whether a built-in of OPA belongs to a profile. */
export function belongs(profile: ProfileName, { name, deprecated }: Builtin): boolean {
  // The compiler rejects these itself, with a reason.
  if (profile === 'latest' || deprecated) return true
  return !isIn(NEWER, name) && (profile === 'opa-1.2' || !isIn(NOT_IN_SERVICE, name))
}
