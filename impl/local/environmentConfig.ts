import type { GatewayEnvironment } from 'polgate-protocol/environment.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'
import { transpiledDirectory } from './chainImage.ts'

/** Poll interval for a development chain, milliseconds. */
const pollMs = 500

/**
 * The configuration of a service in a given test environment.
 *
 * @param directory for contents fetched from the content gateway
 */
export function environmentConfig(
  environment: GatewayEnvironment,
  directory: string,
): ServiceConfigInput {
  const { listen, chain, rateLimit } = environment
  const { policyFactory: _, ...contracts } = chain
  return {
    gateway: listen.gateway,
    brand: environment.brand,
    logLevel: 'warn',
    rateLimits: { perKey: rateLimit },
    chain: contracts,
    keys: { gateway: environment.account.privateKey, ...environment.encryptionKeys },
    operators: environment.operators.map(({ address, blsKey }) => ({
      kind: 'local',
      address,
      blsKey,
    })),
    webhooks: { allowLoopback: environment.loopbackWebhooks },
    explorer: {
      listen: listen.explorer,
      networks: Object.fromEntries(
        Object.entries(environment.networks).map(([name, network]) => [
          name,
          { ...network, startBlock: 0, batchBlocks: 2_000, pollMs },
        ]),
      ),
      rateLimit,
    },
    operatorGraceMs: 3_000,
    content: { directory, gateways: [environment.contentGatewayUrl] },
    oracles: {
      cacheDir: transpiledDirectory,
      allowedHosts: environment.oracleHosts,
    },
  }
}
