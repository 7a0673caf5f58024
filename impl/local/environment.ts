import { randomBytes } from 'node:crypto'
import type { RunningAnvil } from 'polgate-chain/anvil.ts'
import { type ClientSecrets, clientSecrets } from 'polgate-fixtures/describeClient.ts'
import { startWithCleanup } from 'polgate-lib/async/cleanupStack.ts'
import type { Brand } from 'polgate-protocol/brand.ts'
import type { GatewayEnvironment } from 'polgate-protocol/environment.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { applyOracleData, mineBlocks, type World } from './control.ts'
import { describeLocalFixtures } from './describeStack.ts'
import { devAccounts, devApiKeys, devEncryptionKeys, devOperators } from './devKeys.ts'
import { findImage } from './localChain.ts'
import { explorerNetworks } from './localExplorer.ts'
import { startLocalFixtures } from './localFixtures.ts'
import { rewriteUrls } from './rewriteUrls.ts'

/** Test environment for a gateway that another process starts, and its description. */
export type LocalEnvironment = {
  /** The caller chooses where the gateway listens. */
  readonly environment: Omit<GatewayEnvironment, 'listen'>
  readonly apiKeys: StackDescription['apiKeys']
  readonly bed: ReturnType<typeof describeLocalFixtures>
  readonly fixtureHostUrl: string
  readonly chain: RunningAnvil
  readonly secrets: readonly ClientSecrets[]
  /** Changes the data of the fixture host; `{}` restores the initial one. */
  setOracleData(world: World): void
  mine(blocks: number): Promise<void>
  close(): Promise<void>
}

/** Starts chain, contracts, contents and fixture host, and creates API keys for one run. */
export async function startEnvironment(options: {
  readonly brand: Brand
  readonly progress?: ((step: string) => void) | undefined
  /** Ends the start at its next step. */
  readonly signal?: AbortSignal | undefined
}): Promise<LocalEnvironment> {
  return startWithCleanup(async (cleanup) => {
    const { progress, signal } = options
    const { chain, second, host, deployment } = await startLocalFixtures({
      image: await findImage(undefined, options.brand),
      secondNetwork: true,
      names: options.brand,
      progress,
      cleanup,
      signal,
    })
    signal?.throwIfAborted()
    const clients = await rewriteUrls(chain.url, deployment, host.url, false)
    const networks = explorerNetworks(deployment, chain, second)
    const bed = describeLocalFixtures({ chain, deployment, clients, networks })
    const apiKeys = freshKeys()
    return {
      environment: {
        version: 1,
        brand: options.brand,
        chain: { ...bed.chain, ...deployment.protocol, ...deployment.registries },
        networks: bed.networks as GatewayEnvironment['networks'],
        contentGatewayUrl: host.url,
        oracleHosts: [host.hostPort],
        account: devAccounts.gateway,
        operators: bed.operators.map(({ address, id, stake }, at) => ({
          address,
          id,
          blsKey: devOperators[at]!.blsKey,
          stake,
        })),
        encryptionKeys: devEncryptionKeys,
        apiKeys,
        loopbackWebhooks: true,
        rateLimit: { perSecond: 100_000, burst: 100_000 },
      },
      apiKeys: Object.fromEntries(
        apiKeys.map(({ name, key }) => [name, key]),
      ) as StackDescription['apiKeys'],
      bed,
      fixtureHostUrl: host.url,
      chain,
      secrets: clientSecrets(bed.clients, { fixture_host: host.url, token: deployment.token }),
      setOracleData: (world) => applyOracleData(host, world),
      mine: (blocks) => mineBlocks(chain.url, blocks),
      close: cleanup.close,
    }
  })
}

/** Keys with the permissions of a local stack's keys, but random. */
const freshKeys = (): GatewayEnvironment['apiKeys'] =>
  Object.entries(devApiKeys).map(([name, { permissions, owners, ...rest }]) => ({
    name,
    key: `svc_${randomBytes(24).toString('base64url')}`,
    permissions: [...permissions],
    owners: [...owners],
    ...('expiresAt' in rest ? { expiresAt: rest.expiresAt.toISOString() } : {}),
  }))
