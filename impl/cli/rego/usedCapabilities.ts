import { byName, coreBuiltins } from 'polgate-rego/builtins/core.ts'
import { belongs, type ProfileName } from 'polgate-rego/builtins/profiles.ts'
import { loadBuiltins } from 'polgate-rego/groups/load.ts'
import type { Capabilities } from './capabilities.ts'

/** The built-ins of profiles, of those that some policies may call. */
export type UsedCapabilities = Readonly<Record<ProfileName, Capabilities>>

/**
 * As `capabilitiesOf`, but loads only what policies and queries may call: loading all takes longer than
 * evaluating most policies.
 */
export async function usedCapabilities(sources: readonly string[]): Promise<UsedCapabilities> {
  const groups = await loadBuiltins(sources)
  // Their prefix is `service` unless it is branded.
  const extensions = sources.some((source) => /\bservice\b/.test(source))
    ? (await import('polgate-rego/builtins/extensions.ts')).serviceExtensions()
    : []
  const known = [coreBuiltins, ...groups].flat()
  const of = (profile: ProfileName): Capabilities =>
    byName([...known.filter((each) => belongs(profile, each)), ...extensions])
  return { service: of('service'), 'opa-1.2': of('opa-1.2'), latest: of('latest') }
}
