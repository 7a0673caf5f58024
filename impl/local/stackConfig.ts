import type { RunningAnvil } from 'polgate-chain/anvil.ts'
import type { FixtureHost } from 'polgate-fixtures/host/fixtureHost.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'
import { contentDirectory, transpiledDirectory } from './chainImage.ts'
import type { Deployment } from './deployFixtures.ts'
import { devAccounts, devEncryptionKeys, devOperators } from './devKeys.ts'
import type { explorerNetworks } from './localExplorer.ts'
import type { LocalStackOptions } from './localStackOptions.ts'

type Bed = {
  readonly chain: RunningAnvil
  readonly deployment: Deployment
  readonly networks: ReturnType<typeof explorerNetworks>
  readonly host: FixtureHost
  readonly threshold: ServiceConfigInput['threshold']
}

/** The configuration of the service of a local stack, with its operators in this process. */
export function stackConfig(options: LocalStackOptions, bed: Bed): ServiceConfigInput {
  const { ports = {} } = options
  const { chain, deployment, networks, host, threshold } = bed
  return {
    gateway: { port: ports.gateway ?? 0 },
    ...(options.brand === undefined ? {} : { brand: options.brand }),
    admin: { port: ports.admin ?? 0 },
    logLevel: options.logLevel ?? 'silent',
    ...(options.telemetry === undefined ? {} : { telemetry: options.telemetry }),
    rateLimits: { perKey: { perSecond: 100_000, burst: 100_000 } },
    chain: {
      rpcUrl: chain.url,
      chainId: chain.chainId,
      taskManager: deployment.protocol.taskManager,
      operatorRegistry: deployment.protocol.operatorRegistry,
      ...deployment.registries,
    },
    keys: { gateway: devAccounts.gateway.privateKey, ...devEncryptionKeys },
    operators: devOperators.map(({ address, blsKey, thresholdKey }) => ({
      kind: 'local',
      address,
      blsKey,
      thresholdKey,
    })),
    ...(threshold === undefined ? {} : { threshold }),
    webhooks: { allowLoopback: true },
    explorer: {
      listen: { port: ports.explorer ?? 0 },
      networks,
      rateLimit: { perSecond: 100_000, burst: 100_000 },
    },
    // Longer than the default: on a busy machine slow operators should still count.
    operatorGraceMs: 3_000,
    content: { directory: contentDirectory },
    oracles: {
      cacheDir: transpiledDirectory,
      allowedHosts: [host.hostPort, ...(options.allowedOracleHosts ?? [])],
    },
  }
}
