/** Parts of the service that a gateway may have or not, in order. Each clause belongs to one. */
export const profiles = [
  'base',
  'tasks',
  'updates',
  'webhooks',
  'simulation',
  'secrets',
  'private-data',
  'explorer',
  'attestation',
] as const
export type Profile = (typeof profiles)[number]

/** The profiles without which a gateway cannot have one. */
export const dependencies: Readonly<Record<Profile, readonly Profile[]>> = {
  base: [],
  tasks: ['base'],
  updates: ['tasks'],
  webhooks: ['tasks'],
  simulation: ['base'],
  secrets: ['simulation'],
  'private-data': ['base'],
  explorer: ['tasks'],
  attestation: ['tasks'],
}

/** The named profiles, and all that they depend on, in order. */
export function withDependencies(named: readonly Profile[]): readonly Profile[] {
  const all = new Set<Profile>()
  const add = (profile: Profile) => {
    all.add(profile)
    dependencies[profile].forEach(add)
  }
  named.forEach(add)
  return profiles.filter((profile) => all.has(profile))
}

/** The profile of the clauses of a section whose row names no other. */
export const sectionProfiles: Readonly<Record<string, Profile>> = {
  '1': 'tasks',
  '2.1': 'tasks',
  '2.2': 'tasks',
  '2.3': 'simulation',
  '2.4': 'simulation',
  '2.5': 'tasks',
  '2.6': 'simulation',
  '2.7': 'secrets',
  '2.8': 'webhooks',
  '2.9': 'explorer',
  '2.10': 'explorer',
  '3': 'tasks',
  '4.1': 'base',
  '4.2': 'tasks',
  '4.3': 'tasks',
  '4.4': 'simulation',
  '4.5': 'secrets',
  '4.6': 'simulation',
  '4.7': 'secrets',
  '4.8': 'simulation',
  '4.9': 'webhooks',
  '4.10': 'private-data',
  '4.11': 'updates',
  '4.12': 'explorer',
  '5.1': 'base',
  '5.2': 'secrets',
  '5.3': 'secrets',
  '5.4': 'tasks',
  '5.5': 'webhooks',
  '5.6': 'explorer',
  '6.1': 'updates',
  '6.2': 'webhooks',
  '6.3': 'webhooks',
  '7.1': 'base',
  '7.2': 'tasks',
  '7.3': 'base',
  '7.4': 'base',
  '7.5': 'attestation',
  '7.6': 'explorer',
  '8': 'base',
  '9': 'base',
}
