import { type Profile, withDependencies } from '../register/profiles.ts'
import { clauses } from '../register/register.ts'
import type { Capability, CheckInfo } from './check.ts'
import { rpcMethodIn } from './unanswered.ts'

/** The profile of each method, without the brand's prefix. */
export const methodProfiles: Readonly<Record<string, Profile>> = {
  // The only method without params that every gateway has: transport, keys and limits are tested with it.
  getSecretsPublicKey: 'base',
  createTask: 'tasks',
  sendTask: 'tasks',
  registerWebhook: 'webhooks',
  unregisterWebhook: 'webhooks',
  simulateTask: 'simulation',
  simulatePolicyData: 'simulation',
  simulatePolicy: 'simulation',
  // Reads what storeEncryptedSecrets stored.
  simulatePolicyDataWithClient: 'secrets',
  storeEncryptedSecrets: 'secrets',
  getPrivacyPublicKey: 'private-data',
  uploadIdentityEncrypted: 'private-data',
  getIdentityEncrypted: 'private-data',
  uploadConfidentialData: 'private-data',
  getConfidentialData: 'private-data',
}

/** What a part of the service is reached by: a check that needs one calls that part. */
const surfaces: Readonly<Partial<Record<Capability, Profile>>> = {
  websocket: 'updates',
  'webhook-receiver': 'webhooks',
  explorer: 'explorer',
  'second-network': 'explorer',
  'identity-registry': 'private-data',
  'confidential-registry': 'private-data',
  provider: 'private-data',
}

const prefixes: Readonly<Record<string, Profile>> = {
  ws: 'updates',
  webhook: 'webhooks',
  explorer: 'explorer',
}

const profileOfClause = new Map(clauses.map(({ id, profile }) => [id, profile]))
const levelOfClause = new Map(clauses.map(({ id, level }) => [id, level]))

function namedBy({ id, needs }: CheckInfo): readonly Profile[] {
  const parts = id.split('.')
  const prefix = prefixes[parts[0]!]
  const methods = parts.flatMap((part) =>
    Object.hasOwn(methodProfiles, part) ? [methodProfiles[part]!] : [],
  )
  const reached = needs.flatMap((need) => surfaces[need] ?? [])
  const found = [...(prefix === undefined ? [] : [prefix]), ...methods, ...reached]
  if (methods.length > 0) return found
  const sealsSecrets = needs.includes('envelope-form') && !reached.includes('private-data')
  return [
    ...found,
    ...(needs.includes('oracles') ? (['simulation'] as const) : []),
    ...(sealsSecrets ? (['secrets'] as const) : []),
  ]
}

/**
 * The parts of the service that a check calls, with all that they depend on: those that it declares, else
 * those that its id, its surfaces and its needs name, else that of its first clause.
 */
export function checkProfiles(check: CheckInfo): readonly Profile[] {
  if (check.own !== undefined) return []
  const named = check.profiles ?? namedBy(check)
  const [first = ''] = check.clauses
  return withDependencies(named.length > 0 ? named : [profileOfClause.get(first) ?? 'base'])
}

/**
 * Whether a run of these profiles has the check: it calls nothing else, and one of the clauses that make it
 * required or recommended belongs to them. The gateway's own checks belong to every run.
 */
export function belongsTo(check: CheckInfo, claimed: readonly Profile[]): boolean {
  if (check.own !== undefined) return true
  return (
    checkProfiles(check).every((profile) => claimed.includes(profile)) &&
    check.clauses.some(
      (id) =>
        levelOfClause.get(id) === check.level &&
        claimed.includes(profileOfClause.get(id) ?? 'base'),
    )
  )
}

/**
 * The profile of the method that a request calls, if it is one of the service.
 *
 * @param body of the request
 */
export function calledProfile(body: string, methodPrefix: string): Profile | undefined {
  const method = rpcMethodIn(body)
  if (method === undefined || !method.startsWith(methodPrefix)) return undefined
  const name = method.slice(methodPrefix.length)
  return Object.hasOwn(methodProfiles, name) ? methodProfiles[name] : undefined
}
