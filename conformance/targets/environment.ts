import type { ClientSecrets } from 'polgate-fixtures/describeClient.ts'
import { environmentFileVariable, GatewayEnvironment } from 'polgate-protocol/environment.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'

/** The environment of a gateway under test, and what the suite knows about it. */
export type Environment = {
  readonly environment: Omit<GatewayEnvironment, 'listen'>
  readonly apiKeys: StackDescription['apiKeys']
  readonly bed: Pick<StackDescription, 'chain' | 'networks' | 'accounts' | 'operators' | 'clients'>
  readonly fixtureHostUrl: string
  readonly secrets: readonly ClientSecrets[]
  readonly setOracleData: (world: object) => void
  readonly mine: (blocks: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** The environment as variables, for a gateway configured by them; lists are JSON. */
export function environmentVariables(
  environment: GatewayEnvironment,
  file: string,
): Readonly<Record<string, string>> {
  const { listen, chain, brand } = environment
  const upper = (name: string) => name.replaceAll(/([A-Z])/g, '_$1').toUpperCase()
  const named = (prefix: string, values: object) =>
    Object.entries(values).map(([name, value]) => [`${prefix}_${upper(name)}`, String(value)])
  return Object.fromEntries([
    [environmentFileVariable, file],
    ...Object.entries(listen).flatMap(([name, at]) => named(`SVC_ENV_${name.toUpperCase()}`, at)),
    ...named('SVC_ENV_CHAIN', chain),
    ...named('SVC_ENV_BRAND', brand),
    ['SVC_ENV_NETWORKS', JSON.stringify(environment.networks)],
    ['SVC_ENV_CONTENT_GATEWAY_URL', environment.contentGatewayUrl],
    ['SVC_ENV_ORACLE_HOSTS', environment.oracleHosts.join(',')],
    ['SVC_ENV_ACCOUNT_KEY', environment.account.privateKey],
    ['SVC_ENV_SECRETS_KEY', environment.encryptionKeys.secrets],
    ['SVC_ENV_PRIVACY_KEY', environment.encryptionKeys.privacy],
    ['SVC_ENV_OPERATORS', JSON.stringify(environment.operators)],
    ['SVC_ENV_API_KEYS', JSON.stringify(environment.apiKeys)],
    ['SVC_ENV_LOOPBACK_WEBHOOKS', String(environment.loopbackWebhooks)],
    ['SVC_ENV_RATE_PER_SECOND', String(environment.rateLimit.perSecond)],
    ['SVC_ENV_RATE_BURST', String(environment.rateLimit.burst)],
  ]) as Record<string, string>
}

/** Path of the published schema of the environment file, relative to a clone. */
export const environmentSchemaPath = 'conformance/targets/environment.schema.json'

export const environmentSchemaText = (): string =>
  `${JSON.stringify(
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: 'Environment of a gateway under test',
      ...GatewayEnvironment,
    },
    null,
    2,
  )}\n`
