import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { devAccount } from 'polgate-chain/accounts.ts'
import { deployProtocol, type Protocol } from 'polgate-chain/deploy.ts'
import { createTransactor } from 'polgate-chain/transactor.ts'
import type { CleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { contentDirectory } from 'polgate-local/chainImage.ts'
import { devAccounts } from 'polgate-local/devKeys.ts'
import { type LocalEnvironment, startEnvironment } from 'polgate-local/environment.ts'
import { environmentConfig } from 'polgate-local/environmentConfig.ts'
import { startOperator } from 'polgate-local/operatorProcesses.ts'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { type SvcProcess, startSvc } from 'polgate-service/scaleOut/processes.fixture.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'
import { openStore, type Store } from 'polgate-service/store/openStore.ts'
import {
  type RunningPostgres,
  startPostgres,
} from 'polgate-service/store/testing/postgresServer.ts'
import { clientsOf, registerOperators } from '../service/ownProtocol.ts'
import type { TaskStack } from '../service/requests.ts'

type Gateway = SvcProcess<{ readonly gatewayUrl: string }>

/** Everything of a deployment but the gateways, each part in its own process. */
export type Deployment = {
  /** What tasks depend on. */
  readonly stack: TaskStack
  readonly key: string
  readonly store: Store
  readonly chain: { readonly url: string; readonly taskManager: `0x${string}` }
  readonly pids: {
    readonly operators: readonly number[]
    readonly indexer: number
    readonly chain: number | undefined
    /** The parent of all processes of PostgreSQL; undefined for an external server. */
    readonly postgres: number | undefined
  }
  /** Gateways in addition to what runs; the caller ends them. */
  startGateways(count: number, cleanup: CleanupStack): Promise<readonly Gateway[]>
}

/** Starts PostgreSQL, a chain, operators of equal stake and an indexer on free loopback ports. */
export async function startDeployment(
  operatorCount: number,
  cleanup: CleanupStack,
): Promise<Deployment> {
  const postgres = await startPostgres({ durable: true })
  cleanup.defer(() => postgres.stop())
  const environment = await startEnvironment({ brand: defaultBrand })
  cleanup.defer(() => environment.close())
  const store = await openStore({ url: postgres.url })
  cleanup.defer(() => store.close())
  for (const { key, name, permissions, owners } of environment.environment.apiKeys)
    await store.apiKeys.create({ key, name, permissions, owners })

  const owner = await createTransactor({ rpcUrl: environment.chain.url, account: devAccount(0) })
  const protocol = await deployProtocol(owner, { aggregator: devAccounts.gateway.address })
  const registered = await registerOperators(owner, protocol.operatorRegistry, operatorCount)
  const { bed } = environment
  const clients = await clientsOf(owner, protocol, bed.clients)
  const config = configOf(environment, protocol)
  const starting = registered.map((operator) => startOperator(config, operator))
  for (const each of starting) cleanup.deferStarted(each, (operator) => operator.end())
  const operators = await Promise.all(starting)
  const withOperators = {
    ...config,
    operators: operators.map(({ address, id, url, token }) => ({
      ...{ kind: 'remote' as const, address, id, url, token },
    })),
  }
  const { brand, logLevel, content, explorer } = config
  const indexing = startSvc<unknown>(
    'indexer',
    { brand, logLevel, content, explorer: { ...explorer, listen: undefined } },
    connectedAs(postgres, 'indexer'),
  )
  cleanup.deferStarted(indexing, (child) => child.end('SIGTERM'))
  const indexer = await indexing
  return {
    stack: { brand: defaultBrand, clients, accounts: bed.accounts, chain: bed.chain },
    key: environment.apiKeys.rpc,
    store,
    chain: { url: environment.chain.url, taskManager: protocol.taskManager },
    pids: {
      operators: operators.map(({ pid }) => pid!),
      indexer: indexer.pid,
      chain: environment.chain.pid,
      postgres: parentOf(postgres),
    },
    async startGateways(count, ends) {
      const gateways = Array.from({ length: count }, () =>
        startSvc<Gateway['ready']>(
          'serve',
          { ...withOperators, explorer: { ...explorer, indexer: false } },
          connectedAs(postgres, 'gateway'),
        ),
      )
      for (const each of gateways) ends.deferStarted(each, (child) => child.end('SIGTERM'))
      return await Promise.all(gateways)
    },
  }
}

function configOf(environment: LocalEnvironment, protocol: Protocol): ServiceConfigInput {
  const listen = { gateway: { port: 0 }, explorer: { port: 0 } }
  const config = environmentConfig(
    { ...environment.environment, listen } as Parameters<typeof environmentConfig>[0],
    contentDirectory,
  )
  const { taskManager, operatorRegistry } = protocol
  const networks = { testnet: { ...config.explorer?.networks?.testnet, taskManager } }
  return {
    ...config,
    chain: { ...config.chain, taskManager, operatorRegistry },
    explorer: { ...config.explorer, networks },
  } as ServiceConfigInput
}

/** The name tells the connections of gateways and indexer apart in `pg_stat_activity`. */
const connectedAs = ({ url }: RunningPostgres, name: string) => ({
  DATABASE_URL: `${url}?application_name=${name}`,
  SVC_DATABASE_URL: '',
})

function parentOf({ directory }: RunningPostgres): number | undefined {
  if (directory === undefined) return undefined
  return Number(readFileSync(join(directory, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
}
