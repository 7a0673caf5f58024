import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWithCleanup } from 'polgate-lib/async/cleanupStack.ts'
import { contentDirectory } from 'polgate-local/chainImage.ts'
import { type LocalEnvironment, startEnvironment } from 'polgate-local/environment.ts'
import { environmentConfig } from 'polgate-local/environmentConfig.ts'
import type { OperatorProcess } from 'polgate-local/operatorProcess.ts'
import { startOperators, withOperators } from 'polgate-local/operatorProcesses.ts'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { type SvcProcess, startSvc } from 'polgate-service/scaleOut/processes.fixture.ts'
import { openStore, type Store } from 'polgate-service/store/openStore.ts'
import {
  type RunningPostgres,
  startPostgres,
} from 'polgate-service/store/testing/postgresServer.ts'
import { type ChainNode, takeOverNode } from './chainNode.ts'

export type GatewayProcess = SvcProcess<{
  readonly gatewayUrl: string
  readonly explorerUrl: string
}>

/** The service as deployed on several machines, each part in a separate process. */
export type Cluster = {
  readonly environment: LocalEnvironment
  readonly node: ChainNode
  readonly postgres: RunningPostgres
  readonly store: Store
  readonly operators: readonly OperatorProcess[]
  readonly gateways: readonly GatewayProcess[]
  readonly indexer: SvcProcess<unknown>
  /** Gateways and indexers that ended unexpectedly, with the end of their log. */
  exits(): readonly string[]
  /** The latest internal errors in the logs of gateways and indexer. */
  internalErrors(): readonly string[]
  /** What the gateways logged about the chain and their postings. */
  chainLog(): readonly string[]
  /** Stops everything. */
  close(): Promise<void>
}

/**
 * Starts PostgreSQL, a chain, four operators, two gateways and an indexer on free loopback ports.
 */
export async function startCluster(progress: (step: string) => void): Promise<Cluster> {
  return startWithCleanup(async (cleanup) => {
    const directory = await mkdtemp(join(tmpdir(), 'svc-soak-'))
    cleanup.defer(() => rm(directory, { recursive: true, force: true }))
    progress('PostgreSQL')
    const postgres = await startPostgres({ durable: true })
    cleanup.defer(() => postgres.stop())
    progress('chain and contracts')
    const environment = await startEnvironment({ brand: defaultBrand, progress })
    cleanup.defer(() => environment.close())
    const node = await takeOverNode(environment.chain, join(directory, 'chain.json'))
    cleanup.defer(() => node.close())
    const store = await openStore({ url: postgres.url })
    cleanup.defer(() => store.close())
    for (const { key, name, permissions, owners } of environment.environment.apiKeys)
      await store.apiKeys.create({ key, name, permissions, owners })

    const listen = { gateway: { port: 0 }, explorer: { port: 0 } }
    const alone = environmentConfig(
      { ...environment.environment, listen } as Parameters<typeof environmentConfig>[0],
      contentDirectory,
    )
    progress('operators')
    const operators = await startOperators(alone)
    cleanup.defer(() => Promise.all(operators.map((each) => each.end())))
    const config = withOperators(alone, operators)
    const env = { DATABASE_URL: postgres.url, SVC_DATABASE_URL: '' }
    const { brand, content } = config
    // Logged internal errors are never explained by an outage.
    const logLevel = 'warn'
    const explorer = { ...config.explorer, listen: undefined }
    progress('gateways and indexer')
    const starting = [
      startSvc<unknown>('indexer', { brand, logLevel, content, explorer }, env),
      ...[0, 1].map(() =>
        startSvc(
          'serve',
          { ...config, logLevel, explorer: { ...config.explorer, indexer: false } },
          env,
        ),
      ),
    ] as const
    for (const each of starting)
      cleanup.deferStarted<SvcProcess<unknown>>(each, (child) => child.end('SIGTERM'))
    const [indexer, ...gateways] = (await Promise.all(starting)) as [
      SvcProcess<unknown>,
      ...GatewayProcess[],
    ]
    const exits = () =>
      [...gateways, indexer]
        .filter((each) => !isAlive(each.pid))
        .map((each) => `process ${each.pid} ended: ${each.complaints().slice(-2_000)}`)
    const internalErrors = () =>
      [...gateways, indexer].flatMap((each) =>
        each
          .complaints()
          .split('\n')
          .filter((line) => /"msg":"internal error"/i.test(line)),
      )
    const chainLog = () =>
      gateways.flatMap((each, at) =>
        each
          .complaints()
          .split('\n')
          .filter((line) => /reverted|posting|posted/i.test(line))
          .map((line) => `gateway ${at}: ${line.slice(0, 400)}`),
      )
    return {
      chainLog,
      environment,
      node,
      postgres,
      store,
      operators,
      gateways,
      indexer,
      exits,
      internalErrors,
      close: () =>
        cleanup.close().catch((error: Error) => progress(`during shutdown: ${error.message}`)),
    }
  })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
