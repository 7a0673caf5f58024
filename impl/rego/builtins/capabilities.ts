import type { Builtin } from './builtin.ts'
import { serviceExtensions } from './extensions.ts'
import { belongs, type ProfileName } from './profiles.ts'
import { builtins } from './registry.ts'

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
